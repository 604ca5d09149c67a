/** The server under test: programs, databases for trials, and statistics. */
@NullMarked
package io.pgtoaster.benchmarks.server;

import org.jspecify.annotations.NullMarked;
