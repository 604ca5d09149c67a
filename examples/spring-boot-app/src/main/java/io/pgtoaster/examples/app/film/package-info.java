/** A large document, opened branch by branch. */
@NullMarked
package io.pgtoaster.examples.app.film;

import org.jspecify.annotations.NullMarked;
