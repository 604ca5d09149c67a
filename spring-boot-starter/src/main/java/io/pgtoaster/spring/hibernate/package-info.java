/** Attaches the columns of the application's entities at startup. */
@NullMarked
package io.pgtoaster.spring.hibernate;

import org.jspecify.annotations.NullMarked;
