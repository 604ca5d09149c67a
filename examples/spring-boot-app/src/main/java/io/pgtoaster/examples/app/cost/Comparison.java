package io.pgtoaster.examples.app.cost;

import org.jspecify.annotations.Nullable;

/**
 * The costs of an action with pgtoaster and with a plain column.
 *
 * @param action description of the action
 * @param pgtoaster cost with pgtoaster
 * @param plain cost with a plain column; null if a plain column cannot do it
 */
public record Comparison(String action, Cost pgtoaster, @Nullable Cost plain) {}
