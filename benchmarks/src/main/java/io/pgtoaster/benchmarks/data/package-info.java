/** The stored data: bytes and documents from fixed seeds. */
@NullMarked
package io.pgtoaster.benchmarks.data;

import org.jspecify.annotations.NullMarked;
