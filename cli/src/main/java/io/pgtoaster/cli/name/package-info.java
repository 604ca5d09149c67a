/** Parses and formats names and keys as users write them. */
@NullMarked
package io.pgtoaster.cli.name;

import org.jspecify.annotations.NullMarked;
