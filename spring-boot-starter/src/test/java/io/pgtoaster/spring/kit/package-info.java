/** What tests of the starter run on. */
@NullMarked
package io.pgtoaster.spring.kit;

import org.jspecify.annotations.NullMarked;
