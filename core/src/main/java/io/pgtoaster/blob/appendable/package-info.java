/**
 * The toaster {@code appendable}: blobs in chunk tables, by plain SQL.
 *
 * <p>A blob of {@code n} bytes is three runs of bytes. {@code [0, piece_start)} are chunks of
 * {@code chunk_size} bytes or less, one row each at the offset where it starts, touched again only
 * by an overwrite or {@code compact}. {@code [piece_start, base)}, less than a full chunk, are
 * pieces in a table of their own, which many small appends may fill and empty without leaving holes
 * between the chunks. {@code [base, n)} is the tail, up to a kilobyte inside the head row, so that
 * a small append is one update of one row. See {@code docs/internals.md}.
 */
@NullMarked
package io.pgtoaster.blob.appendable;

import org.jspecify.annotations.NullMarked;
