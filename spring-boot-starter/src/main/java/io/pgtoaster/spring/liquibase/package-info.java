/** Support for applications that use Liquibase. */
@NullMarked
package io.pgtoaster.spring.liquibase;

import org.jspecify.annotations.NullMarked;
