/** Trees of nodes, built bottom up from JSON. */
@NullMarked
package io.pgtoaster.jsonb.keyed.build;

import org.jspecify.annotations.NullMarked;
