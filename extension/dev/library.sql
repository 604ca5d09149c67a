-- Lets pgspot assume that the schema exists and is trusted: 1-catalog.sql raises an error if another role owns any
-- object in it.
CREATE SCHEMA pgtoaster;
