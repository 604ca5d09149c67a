/**
 * Shows what one operation on a document costs: rows, pages and write-ahead log of each statement.
 */
@NullMarked
package io.pgtoaster.cli.explain;

import org.jspecify.annotations.NullMarked;
