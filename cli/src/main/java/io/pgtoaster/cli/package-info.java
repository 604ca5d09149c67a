/** The command-line program of pgtoaster. */
@NullMarked
package io.pgtoaster.cli;

import org.jspecify.annotations.NullMarked;
