/** Tests of repository fragments. */
@NullMarked
package io.pgtoaster.spring.data;

import org.jspecify.annotations.NullMarked;
