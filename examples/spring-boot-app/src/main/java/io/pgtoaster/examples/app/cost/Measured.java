package io.pgtoaster.examples.app.cost;

/**
 * A result and its cost.
 *
 * @param value the result
 * @param cost cost of the operation
 * @param <T> type of the result
 */
public record Measured<T>(T value, Cost cost) {}
