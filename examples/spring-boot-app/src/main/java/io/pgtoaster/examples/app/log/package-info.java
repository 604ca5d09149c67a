/** A log with followers. */
@NullMarked
package io.pgtoaster.examples.app.log;

import org.jspecify.annotations.NullMarked;
