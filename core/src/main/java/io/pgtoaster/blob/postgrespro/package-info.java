/** The toaster {@code postgrespro-bytea}: blobs by Postgres Pro's {@code bytea_toaster}. */
@NullMarked
package io.pgtoaster.blob.postgrespro;

import org.jspecify.annotations.NullMarked;
