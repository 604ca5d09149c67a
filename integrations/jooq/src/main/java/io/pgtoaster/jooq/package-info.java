/** Documents in statements of jOOQ. */
@NullMarked
package io.pgtoaster.jooq;

import org.jspecify.annotations.NullMarked;
