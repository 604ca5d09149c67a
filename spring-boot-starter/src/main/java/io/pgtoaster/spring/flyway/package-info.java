/** Support for applications that use Flyway. */
@NullMarked
package io.pgtoaster.spring.flyway;

import org.jspecify.annotations.NullMarked;
