/** Big JSON documents that are read and changed by path: the column, and the value at a path. */
@NullMarked
package io.pgtoaster.jsonb;

import org.jspecify.annotations.NullMarked;
