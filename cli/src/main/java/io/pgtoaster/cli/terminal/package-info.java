/** Standard streams, progress, and numbers as people read them. */
@NullMarked
package io.pgtoaster.cli.terminal;

import org.jspecify.annotations.NullMarked;
