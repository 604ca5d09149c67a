/** Which database a command works on, and connections to it. */
@NullMarked
package io.pgtoaster.cli.connect;

import org.jspecify.annotations.NullMarked;
