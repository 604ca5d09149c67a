/** Chat memory, compared with the frameworks' own stores. */
@NullMarked
package io.pgtoaster.benchmarks.chat;

import org.jspecify.annotations.NullMarked;
