/** Input and output of commands: files and standard streams, JSON, tables of facts, sizes. */
@NullMarked
package io.pgtoaster.cli.io;

import org.jspecify.annotations.NullMarked;
