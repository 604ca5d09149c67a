package io.pgtoaster.examples.app.cost;

/**
 * A result, and what it cost.
 *
 * @param value the result
 * @param cost of the operation
 * @param <T> of the result
 */
public record Measured<T>(T value, Cost cost) {}
