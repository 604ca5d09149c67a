/** Names and keys as a user writes them. */
@NullMarked
package io.pgtoaster.cli.name;

import org.jspecify.annotations.NullMarked;
