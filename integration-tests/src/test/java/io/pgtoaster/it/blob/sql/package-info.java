/** Blobs through SQL functions. */
package io.pgtoaster.it.blob.sql;
