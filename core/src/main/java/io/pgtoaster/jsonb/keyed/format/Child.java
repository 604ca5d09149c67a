package io.pgtoaster.jsonb.keyed.format;

/**
 * A child of an inner node.
 *
 * @param id its number
 * @param count number of elements below it, for arrays
 * @param low code of the first key that may be below it, in hexadecimal, for objects
 */
public record Child(long id, long count, String low) {}
