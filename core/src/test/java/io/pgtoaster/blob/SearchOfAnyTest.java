package io.pgtoaster.blob;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Searches for patterns with repetitions, which may span windows, in texts of a few different
 * letters.
 */
class SearchOfAnyTest {
  private static final long SEED = Long.getLong("pgtoaster.test.seed", 20261122);
  private static final int WINDOW = 64 << 10;

  private static String word(Random random, int letters, int length) {
    StringBuilder word = new StringBuilder();
    for (int i = 0; i < length; i++) {
      word.append((char) ('a' + random.nextInt(letters)));
    }
    return word.toString();
  }

  private static long find(String text, String pattern) throws IOException {
    return Search.find(
        new ByteArrayInputStream(text.getBytes(ISO_8859_1)), pattern.getBytes(ISO_8859_1));
  }

  @Test
  void anyPattern_isFoundWhereStringIndexOfFindsIt() throws IOException {
    for (int run = 0; run < 20_000; run++) {
      Random random = new Random(SEED + run);
      int letters = 1 + random.nextInt(3);
      String text = word(random, letters, random.nextInt(40));
      String pattern = word(random, letters, random.nextInt(9));
      assertThat(find(text, pattern))
          .as("seed %d: %s in %s", SEED + run, pattern, text)
          .isEqualTo(text.indexOf(pattern));
    }
  }

  @Test
  void pattern_isFoundAcrossAndAfterWindows() throws IOException {
    String pattern = "aabaac";
    for (int at : new int[] {WINDOW - 6, WINDOW - 5, WINDOW - 1, WINDOW, 2 * WINDOW - 3, 150_000}) {
      String text = "aab".repeat(at / 3 + 1).substring(0, at) + pattern + "aab";
      assertThat(find(text, pattern)).isEqualTo(text.indexOf(pattern));
    }
    assertThat(find("aab".repeat(WINDOW), pattern)).isEqualTo(-1);
  }

  @Test
  void incompleteCharacter_isDetectedByItsFirstByte() {
    int[] first = {0xC0, 0xDF, 0xE0, 0xEF, 0xF0, 0xF7};
    int[] sizes = {2, 2, 3, 3, 4, 4};
    for (int i = 0; i < first.length; i++) {
      for (int there = 1; there <= sizes[i]; there++) {
        byte[] bytes = new byte[9];
        java.util.Arrays.fill(bytes, (byte) 0x80);
        bytes[4] = (byte) first[i];
        assertThat(Utf8.incomplete(bytes, 4 + there))
            .as("%d bytes from %x", there, first[i])
            .isEqualTo(there < sizes[i] ? there : 0);
      }
    }
    byte[] continued = {(byte) 0x80, (byte) 0xBF, (byte) 0x80, (byte) 0x80};
    for (int count = 0; count <= 4; count++) {
      assertThat(Utf8.incomplete(continued, count)).isZero();
    }
    assertThat(Utf8.incomplete(new byte[] {(byte) 0xF0, (byte) 0x80, 0x7f}, 3)).isZero();
  }
}
