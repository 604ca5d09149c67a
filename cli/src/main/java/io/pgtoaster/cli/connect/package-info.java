/** Finds the database that a command works on, and connects to it. */
@NullMarked
package io.pgtoaster.cli.connect;

import org.jspecify.annotations.NullMarked;
