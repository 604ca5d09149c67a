/** JSON as PostgreSQL's {@code jsonb} stores it: reading, canonical text, sizes. */
@NullMarked
package io.pgtoaster.spi.json;

import org.jspecify.annotations.NullMarked;
