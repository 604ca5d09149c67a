package io.pgtoaster.it.kit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;

/** Self-describing records, in ASCII so that text columns also accept them. */
public final class Records {
  private static final int HEADER = 41;

  private Records() {}

  /** Returns various sizes, most of them small. */
  public static int size(int thread, int number) {
    return switch ((thread + number) % 8) {
      case 0 -> 9000;
      case 1 -> 20_000;
      case 2 -> 1012 - HEADER;
      default -> 10 + 37 * number % 300;
    };
  }

  /** Returns a record: thread, number, length of the body and its CRC32C, then the body. */
  public static byte[] record(int thread, int number, int length) {
    byte[] body = Bytes.text(thread * 100_003L + number, length);
    String header = "<%08d %08d %08d %08x>   \n".formatted(thread, number, length, crc(body));
    return Bytes.concat(header.getBytes(StandardCharsets.US_ASCII), body);
  }

  private static int crc(byte[] body) {
    CRC32C crc = new CRC32C();
    crc.update(body);
    return (int) crc.getValue();
  }

  /** Asserts that all records of threads 0 to n are present, complete and in order per thread. */
  public static void assertWhole(byte[] content, int threads, int each) {
    assertWhole(content, IntStream.range(0, threads).boxed().toList(), each);
  }

  public static void assertWhole(byte[] content, List<Integer> threads, int each) {
    Map<Integer, Integer> counts = counts(content);
    Map<Integer, Integer> expected = new HashMap<>();
    threads.forEach(t -> expected.put(t, each));
    assertThat(counts).isEqualTo(expected);
  }

  /**
   * Returns the number of records of each thread; fails unless all are complete, in order and
   * without gaps.
   */
  public static Map<Integer, Integer> counts(byte[] content) {
    Map<Integer, Integer> next = new HashMap<>();
    int at = 0;
    while (at < content.length) {
      String header =
          new String(content, at, Math.min(HEADER, content.length - at), StandardCharsets.US_ASCII);
      assertThat(header).as("header at %d", at).matches("(?s)<.{35}>   \n");
      int thread = Integer.parseInt(header.substring(1, 9));
      int number = Integer.parseInt(header.substring(10, 18));
      int length = Integer.parseInt(header.substring(19, 27));
      byte[] body = Arrays.copyOfRange(content, at + HEADER, at + HEADER + length);
      assertThat("%08x".formatted(crc(body)))
          .as("CRC32C of record %d of thread %d at %d", number, thread, at)
          .isEqualTo(header.substring(28, 36));
      assertThat(number)
          .as("number of the record of thread %d at %d", thread, at)
          .isEqualTo(next.getOrDefault(thread, 0));
      next.put(thread, number + 1);
      at += HEADER + length;
    }
    return next;
  }
}
