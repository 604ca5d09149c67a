package io.pgtoaster.it.hibernate.kit;

import java.util.List;
import java.util.function.ToLongFunction;

/**
 * What work costs the client, the network and the server.
 *
 * @param statements that were executed, each of a batch counted
 * @param sentBytes of their texts and parameters
 * @param walBytes that the server logged
 * @param cpuNanos of the client's thread
 * @param allocatedBytes by the client's thread
 */
public record Cost(
    long statements, long sentBytes, long walBytes, long cpuNanos, long allocatedBytes) {
  /** The median of each figure. */
  public static Cost median(List<Cost> rounds) {
    return new Cost(
        median(rounds, Cost::statements),
        median(rounds, Cost::sentBytes),
        median(rounds, Cost::walBytes),
        median(rounds, Cost::cpuNanos),
        median(rounds, Cost::allocatedBytes));
  }

  /** What this costs more than another; nothing where it is less. */
  public Cost minus(Cost other) {
    return new Cost(
        Math.max(0, statements - other.statements),
        Math.max(0, sentBytes - other.sentBytes),
        Math.max(0, walBytes - other.walBytes),
        Math.max(0, cpuNanos - other.cpuNanos),
        Math.max(0, allocatedBytes - other.allocatedBytes));
  }

  private static long median(List<Cost> rounds, ToLongFunction<Cost> figure) {
    return rounds.stream().mapToLong(figure).sorted().skip(rounds.size() / 2).findFirst().orElse(0);
  }
}
