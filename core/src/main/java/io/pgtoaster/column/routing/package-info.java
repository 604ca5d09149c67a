/** Selection of the cluster node that a statement is for. */
@NullMarked
package io.pgtoaster.column.routing;

import org.jspecify.annotations.NullMarked;
