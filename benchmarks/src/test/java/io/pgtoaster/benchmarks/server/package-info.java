@NullMarked
package io.pgtoaster.benchmarks.server;

import org.jspecify.annotations.NullMarked;
