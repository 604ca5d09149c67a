-- Lets pgspot assume that the schema exists and is trusted: catalog/catalog.sql raises an error if another role owns any
-- object in it.
CREATE SCHEMA pgtoaster;
