-- What pgspot may take for granted in the library's scripts: 1-catalog.sql refuses to go on in a schema that
-- holds anything of another role.
CREATE SCHEMA pgtoaster;
