/** JSON as PostgreSQL's {@code jsonb} keeps it: reading, canonical text, sizes. */
@NullMarked
package io.pgtoaster.spi.json;

import org.jspecify.annotations.NullMarked;
