package io.pgtoaster.jsonb;

/** Implements {@link PutResult}; the components are its methods. */
record PutCounts(long written, long kept, long removed) implements PutResult {}
