-- Prepares the database in which the specs run.
CREATE EXTENSION pgtoaster;
\i test/install.sql
