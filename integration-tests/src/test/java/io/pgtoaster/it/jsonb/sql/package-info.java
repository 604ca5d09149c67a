/** Documents by functions in SQL, by edits as values, by views and by plain SQL. */
package io.pgtoaster.it.jsonb.sql;
