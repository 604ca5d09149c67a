/** Blobs as Spring's resources, and as responses with ranges. */
@NullMarked
package io.pgtoaster.spring.resource;

import org.jspecify.annotations.NullMarked;
