/** Telemetry: many threads store readings in blobs, over plain JDBC. */
@NullMarked
package io.pgtoaster.examples.telemetry;

import org.jspecify.annotations.NullMarked;
