/**
 * The storage format: markers, headers, nodes and paths, and the rules for moving values out and
 * splitting leaves.
 */
@NullMarked
package io.pgtoaster.jsonb.keyed.format;

import org.jspecify.annotations.NullMarked;
