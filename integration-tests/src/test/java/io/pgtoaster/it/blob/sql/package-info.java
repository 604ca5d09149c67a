/** Blobs by functions in SQL. */
package io.pgtoaster.it.blob.sql;
