/** A server that a run starts and stops. */
@NullMarked
package io.pgtoaster.benchmarks.server.own;

import org.jspecify.annotations.NullMarked;
