/** Blobs and documents in handles of Jdbi. */
@NullMarked
package io.pgtoaster.jdbi;

import org.jspecify.annotations.NullMarked;
