package io.pgtoaster.jsonb;

/**
 * Type and size of a value.
 *
 * @param type its type
 * @param size number of elements of an array or members of an object; -1 for others, or if it was
 *     not asked for
 */
public record JsonInfo(JsonType type, long size) {}
