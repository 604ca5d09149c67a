/** A log that grows and is followed. */
@NullMarked
package io.pgtoaster.examples.app.log;

import org.jspecify.annotations.NullMarked;
