package io.pgtoaster.spi;

import io.pgtoaster.column.JsonType;

/**
 * Type and size of a value.
 *
 * @param type its type
 * @param size number of elements of an array or members of an object; -1 for other types, or if the
 *     size was not requested
 */
public record JsonInfo(JsonType type, long size) {}
