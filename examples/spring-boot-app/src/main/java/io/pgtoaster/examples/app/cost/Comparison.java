package io.pgtoaster.examples.app.cost;

import org.jspecify.annotations.Nullable;

/**
 * The same done twice.
 *
 * @param action what was done, in words
 * @param pgtoaster what it cost with pgtoaster
 * @param plain what it cost with a plain column; null where that cannot do it
 */
public record Comparison(String action, Cost pgtoaster, @Nullable Cost plain) {}
