package io.pgtoaster.jsonb;

/**
 * What storing a whole document wrote.
 *
 * @param written rows written, the owner's row included
 * @param kept leaves that had been stored with the same content and were left alone
 * @param removed leaves removed
 */
public record PutResult(long written, long kept, long removed) {}
