/** Contenders that store documents: this library, jsonb, MongoDB. */
@NullMarked
package io.pgtoaster.benchmarks.contender.document;

import org.jspecify.annotations.NullMarked;
