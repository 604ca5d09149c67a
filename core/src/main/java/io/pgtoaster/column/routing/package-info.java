/** How statements say which node of a cluster they are for. */
@NullMarked
package io.pgtoaster.column.routing;

import org.jspecify.annotations.NullMarked;
