/** For applications that migrate by Liquibase. */
@NullMarked
package io.pgtoaster.spring.liquibase;

import org.jspecify.annotations.NullMarked;
