/** JSON in memory in the form of {@code jsonb}: shared by our own modules, not API. */
@NullMarked
package io.pgtoaster.internal.json;

import org.jspecify.annotations.NullMarked;
