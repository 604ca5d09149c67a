/**
 * What is stored: markers, headers, nodes and paths, and when values are moved out and leaves
 * split.
 */
@NullMarked
package io.pgtoaster.jsonb.keyed.format;

import org.jspecify.annotations.NullMarked;
