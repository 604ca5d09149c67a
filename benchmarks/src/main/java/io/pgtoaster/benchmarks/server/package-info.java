/**
 * The server under test: its programs, databases for single trials, and what it says of its cost.
 */
@NullMarked
package io.pgtoaster.benchmarks.server;

import org.jspecify.annotations.NullMarked;
