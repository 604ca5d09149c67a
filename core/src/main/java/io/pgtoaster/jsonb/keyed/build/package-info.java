/** Builds trees of nodes from JSON, bottom up. */
@NullMarked
package io.pgtoaster.jsonb.keyed.build;

import org.jspecify.annotations.NullMarked;
