/** Tests of uploads. */
@NullMarked
package io.pgtoaster.spring.tus;

import org.jspecify.annotations.NullMarked;
