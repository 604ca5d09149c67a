/** The values that calls on columns take and return: names, keys, paths, tokens and results. */
@NullMarked
package io.pgtoaster.column;

import org.jspecify.annotations.NullMarked;
