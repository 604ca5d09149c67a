/** How a command ends: exit codes and messages. */
@NullMarked
package io.pgtoaster.cli.exit;

import org.jspecify.annotations.NullMarked;
