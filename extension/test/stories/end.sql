\set ECHO none
SET client_min_messages = warning;
DROP SCHEMA story CASCADE;
DROP SCHEMA pgtoaster CASCADE;
