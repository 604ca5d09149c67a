/** Commands for stored blobs and documents: append and read, list, measure, check and remove. */
@NullMarked
package io.pgtoaster.cli.content;

import org.jspecify.annotations.NullMarked;
