/** pgtoaster on the command line. */
@NullMarked
package io.pgtoaster.cli;

import org.jspecify.annotations.NullMarked;
