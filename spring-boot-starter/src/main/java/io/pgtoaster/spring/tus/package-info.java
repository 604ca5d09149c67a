/** Uploads that can be resumed, by the tus protocol 1.0.0. */
@NullMarked
package io.pgtoaster.spring.tus;

import org.jspecify.annotations.NullMarked;
