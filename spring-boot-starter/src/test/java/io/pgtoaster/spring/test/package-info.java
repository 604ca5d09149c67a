/** Tests of what tests of applications use. */
@NullMarked
package io.pgtoaster.spring.test;

import org.jspecify.annotations.NullMarked;
