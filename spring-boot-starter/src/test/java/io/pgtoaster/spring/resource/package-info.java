/** Tests of resources and responses. */
@NullMarked
package io.pgtoaster.spring.resource;

import org.jspecify.annotations.NullMarked;
