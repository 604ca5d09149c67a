/** Documents through SQL functions, edits as values, views and plain SQL. */
package io.pgtoaster.it.jsonb.sql;
