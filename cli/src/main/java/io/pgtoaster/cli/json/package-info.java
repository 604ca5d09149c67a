/** Commands for documents by path. */
@NullMarked
package io.pgtoaster.cli.json;

import org.jspecify.annotations.NullMarked;
