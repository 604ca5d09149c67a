\set ECHO none
-- Installs the library's catalog: runs all numbered files of the folder PGT_SQL in order, without output.
-- In a test:  \i test/install.sql
\set install `cat $(ls -v "$PGT_SQL"/[0-9]*.sql)`
\o /dev/null
BEGIN;
:install
COMMIT;
\o
\unset install
\set ECHO all
