/** Contenders that store a document as an attribute of an entity. */
@NullMarked
package io.pgtoaster.benchmarks.contender.orm;

import org.jspecify.annotations.NullMarked;
