/** Standard streams, progress, and numbers for people. */
@NullMarked
package io.pgtoaster.cli.terminal;

import org.jspecify.annotations.NullMarked;
