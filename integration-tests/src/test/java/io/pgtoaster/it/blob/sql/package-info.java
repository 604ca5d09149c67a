/** Blobs by SQL functions. */
package io.pgtoaster.it.blob.sql;
