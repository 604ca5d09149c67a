/**
 * The toaster {@code appendable}: blobs in chunk tables, in plain SQL.
 *
 * <p>A blob of {@code n} bytes consists of three runs of bytes. {@code [0, piece_start)} are chunks
 * of at most {@code chunk_size} bytes, one row each, keyed by start offset. Only an overwrite, a
 * truncation or {@code compact} changes a chunk. {@code [piece_start, base)}, less than a full
 * chunk, are pieces in a separate table. Many small appends can fill and empty that table without
 * leaving holes between the chunks. {@code [base, n)} is the tail, up to a kilobyte inside the head
 * row, so that a small append is one update of one row. See {@code docs/internals.md}.
 */
@NullMarked
package io.pgtoaster.blob.appendable;

import org.jspecify.annotations.NullMarked;
