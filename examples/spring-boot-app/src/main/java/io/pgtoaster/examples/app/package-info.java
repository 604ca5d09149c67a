/** One page that shows what pgtoaster does and what it costs. */
@NullMarked
package io.pgtoaster.examples.app;

import org.jspecify.annotations.NullMarked;
