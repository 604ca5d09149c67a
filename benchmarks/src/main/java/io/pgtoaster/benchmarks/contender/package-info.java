/** Ways to store the same, behind one facade for blobs, one for documents and one for entities. */
@NullMarked
package io.pgtoaster.benchmarks.contender;

import org.jspecify.annotations.NullMarked;
