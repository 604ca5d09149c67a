/** What Spring Boot configures where pgtoaster is on the class path. */
@NullMarked
package io.pgtoaster.spring.boot;

import org.jspecify.annotations.NullMarked;
