/** For applications that migrate by Flyway. */
@NullMarked
package io.pgtoaster.spring.flyway;

import org.jspecify.annotations.NullMarked;
