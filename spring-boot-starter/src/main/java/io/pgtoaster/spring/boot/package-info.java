/** Spring Boot auto-configuration of pgtoaster. */
@NullMarked
package io.pgtoaster.spring.boot;

import org.jspecify.annotations.NullMarked;
