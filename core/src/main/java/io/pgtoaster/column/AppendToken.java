package io.pgtoaster.column;

import java.security.SecureRandom;
import java.util.UUID;

/**
 * Identifies one append, so that it can be sent again without being applied twice. Each blob stores
 * the last sequence, offset and length of each writer.
 *
 * <p>A writer sends one append at a time to a blob and increases the sequence with each new append.
 * A retry repeats the writer, the sequence and the content. {@code gc} may forget writers from
 * {@link #newWriter()} that have not appended within the retry horizon. A later retry is then
 * rejected as unknown and never applied. Any other UUID, such as a fixed one per recording device,
 * is remembered as long as the blob exists.
 *
 * <pre>{@code
 * AppendToken token = new AppendToken(AppendToken.newWriter(), 1);
 * audio.append(42, bytes, AppendOptions.defaults().withToken(token));
 * audio.append(42, bytes, AppendOptions.defaults().withToken(token)); // a repetition is not applied
 * token = token.next();
 * }</pre>
 *
 * @param writer id of the writer
 * @param sequence number of the append; starts at 1 and increases
 */
public record AppendToken(UUID writer, long sequence) {
  private static final SecureRandom RANDOM = new SecureRandom();

  /**
   * Checks the sequence.
   *
   * @param writer id of the writer
   * @param sequence number of the append, at least 1
   */
  public AppendToken {
    if (sequence < 1) {
      throw new IllegalArgumentException("sequence " + sequence + " is not positive");
    }
  }

  /**
   * Creates an id for a new writer: a UUID of version 7 (RFC 9562), which contains the current
   * time. Create one id per blob or session. After {@code gc} has forgotten writers of a blob, ids
   * that were older than the retry horizon at that time are rejected as unknown, even if they are
   * new to that blob.
   */
  public static UUID newWriter() {
    long random = RANDOM.nextLong();
    long high = (System.currentTimeMillis() << 16) | 0x7000 | (random & 0x0FFF);
    long low = 0x8000_0000_0000_0000L | (RANDOM.nextLong() >>> 2);
    return new UUID(high, low);
  }

  /** Returns the token of the writer's next append, which has the next sequence. */
  public AppendToken next() {
    return new AppendToken(writer, sequence + 1);
  }
}
