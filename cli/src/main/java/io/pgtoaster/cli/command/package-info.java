/** Code shared by commands: options, the database, and the row or document to work on. */
@NullMarked
package io.pgtoaster.cli.command;

import org.jspecify.annotations.NullMarked;
