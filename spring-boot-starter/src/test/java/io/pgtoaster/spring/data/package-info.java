/** Tests of fragments of repositories. */
@NullMarked
package io.pgtoaster.spring.data;

import org.jspecify.annotations.NullMarked;
