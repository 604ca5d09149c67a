/** Health, metrics, an endpoint and scheduled maintenance. */
@NullMarked
package io.pgtoaster.spring.actuate;

import org.jspecify.annotations.NullMarked;
