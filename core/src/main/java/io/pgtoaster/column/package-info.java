/** Values of calls on columns: names, keys, paths and tokens, and the results. */
@NullMarked
package io.pgtoaster.column;

import org.jspecify.annotations.NullMarked;
