/** Blobs as attributes of entities. */
@NullMarked
package io.pgtoaster.hibernate.blob;

import org.jspecify.annotations.NullMarked;
