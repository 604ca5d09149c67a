package io.pgtoaster.blob;

import java.security.SecureRandom;
import java.util.UUID;

/**
 * Names one append, so that it can be sent again without being applied twice. Per blob the last
 * sequence, offset and length of each writer are kept.
 *
 * <p>A writer sends one append at a time to a blob and raises the sequence with each new one; a
 * retry repeats writer, sequence and content. Writers from {@link #newWriter()} may be forgotten by
 * {@code gc} once they have been silent for the retry horizon; a retry after that is refused as
 * unknown, never applied. Any other UUID, such as a fixed one per recording device, is remembered
 * as long as the blob exists.
 *
 * <pre>{@code
 * AppendToken token = new AppendToken(AppendToken.newWriter(), 1);
 * audio.append(42, bytes, AppendOptions.defaults().withToken(token));
 * audio.append(42, bytes, AppendOptions.defaults().withToken(token)); // the same one again: not applied
 * token = token.next();
 * }</pre>
 *
 * @param writer who appends
 * @param sequence number of the append, from 1, rising
 */
public record AppendToken(UUID writer, long sequence) {
  private static final SecureRandom RANDOM = new SecureRandom();

  /**
   * Checks the sequence.
   *
   * @param writer as the component says
   * @param sequence as the component says
   */
  public AppendToken {
    if (sequence < 1) {
      throw new IllegalArgumentException("sequence " + sequence + " is not positive");
    }
  }

  /**
   * Makes an id for a new writer: a UUID of version 7 (RFC 9562), which holds the present time.
   * Make one per blob or session: where {@code gc} has forgotten writers of a blob, a writer born
   * before that is refused as unknown, also if it is new to that blob.
   *
   * @return the id
   */
  public static UUID newWriter() {
    long random = RANDOM.nextLong();
    long high = (System.currentTimeMillis() << 16) | 0x7000 | (random & 0x0FFF);
    long low = 0x8000_0000_0000_0000L | (RANDOM.nextLong() >>> 2);
    return new UUID(high, low);
  }

  /**
   * Returns the token of the writer's next append.
   *
   * @return the same writer, the sequence raised by one
   */
  public AppendToken next() {
    return new AppendToken(writer, sequence + 1);
  }
}
