/** Exit codes and error messages of commands. */
@NullMarked
package io.pgtoaster.cli.exit;

import org.jspecify.annotations.NullMarked;
