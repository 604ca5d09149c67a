package io.pgtoaster.jsonb;

/** Components as the methods of {@link PutResult}. */
record PutCounts(long written, long kept, long removed) implements PutResult {}
