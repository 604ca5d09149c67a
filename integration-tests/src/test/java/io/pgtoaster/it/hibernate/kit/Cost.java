package io.pgtoaster.it.hibernate.kit;

import java.util.List;
import java.util.function.ToLongFunction;

/**
 * The cost of some work for the client, the network and the server.
 *
 * @param statements executed statements, counting each of a batch
 * @param sentBytes bytes of their texts and parameters
 * @param walBytes WAL that the server wrote
 * @param cpuNanos CPU time of the client's thread
 * @param allocatedBytes memory that the client's thread allocated
 */
public record Cost(
    long statements, long sentBytes, long walBytes, long cpuNanos, long allocatedBytes) {
  /** Returns the median of each figure. */
  public static Cost median(List<Cost> rounds) {
    return new Cost(
        median(rounds, Cost::statements),
        median(rounds, Cost::sentBytes),
        median(rounds, Cost::walBytes),
        median(rounds, Cost::cpuNanos),
        median(rounds, Cost::allocatedBytes));
  }

  /** Returns the difference to another cost, but no negative figures. */
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
