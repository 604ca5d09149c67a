\set ECHO none
-- Installs the library's catalog, the file PGT_SQL, without output.
-- In a test:  \i test/install.sql
\set install `cat "$PGT_SQL"`
\o /dev/null
BEGIN;
:install
COMMIT;
\o
\unset install
\set ECHO all
