/** The cost of operations on the server, with pgtoaster and with a plain column. */
@NullMarked
package io.pgtoaster.examples.app.cost;

import org.jspecify.annotations.NullMarked;
