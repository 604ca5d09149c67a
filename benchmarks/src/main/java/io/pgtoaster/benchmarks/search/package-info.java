/** Searches compared with plain {@code jsonb}: the figures of {@code docs/search.md}. */
@NullMarked
package io.pgtoaster.benchmarks.search;

import org.jspecify.annotations.NullMarked;
