package io.pgtoaster.blob;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SearchTest {
  @ParameterizedTest
  @ValueSource(strings = {"", "a", "ab", "aab", "abab", "ababc", "abc", "bcx", "cx", "x", "xx"})
  void find_matchesStringIndexOf(String pattern) throws IOException {
    String text = "aababababcx";
    assertThat(Search.find(new ByteArrayInputStream(text.getBytes(UTF_8)), pattern.getBytes(UTF_8)))
        .isEqualTo(text.indexOf(pattern));
  }

  @Test
  void incompleteTail_isCountedPerCharacter() {
    byte[] text = "aß€😀".getBytes(UTF_8);
    int[] expected = {0, 0, 1, 0, 1, 2, 0, 1, 2, 3, 0};
    for (int count = 0; count <= text.length; count++) {
      assertThat(Utf8.incomplete(text, count)).as("%d bytes", count).isEqualTo(expected[count]);
    }
  }
}
