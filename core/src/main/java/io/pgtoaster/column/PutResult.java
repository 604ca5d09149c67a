package io.pgtoaster.column;

/**
 * The rows that were written to store a whole document.
 *
 * @param written number of rows written, including the owner's row
 * @param kept number of leaves left as they were, because they already had the same content
 * @param removed number of leaves removed
 */
public record PutResult(long written, long kept, long removed) {}
