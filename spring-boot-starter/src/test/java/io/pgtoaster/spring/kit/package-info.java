/** Utilities for tests of the starter. */
@NullMarked
package io.pgtoaster.spring.kit;

import org.jspecify.annotations.NullMarked;
