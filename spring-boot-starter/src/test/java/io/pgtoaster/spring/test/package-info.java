/** Tests of the support for application tests. */
@NullMarked
package io.pgtoaster.spring.test;

import org.jspecify.annotations.NullMarked;
