package io.pgtoaster.internal.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.error.InvalidJsonException;
import java.io.InputStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StringLimitTest {
  /** A text whose first string or key never ends. */
  private static final class Endless extends InputStream {
    private final String begin;
    private long given;

    Endless(String begin) {
      this.begin = begin;
    }

    @Override
    public int read() {
      int at = (int) Math.min(given++, begin.length());
      return at < begin.length() ? begin.charAt(at) : 'x';
    }

    @Override
    public int read(byte[] into, int from, int count) {
      for (int i = 0; i < count; i++) {
        into[from + i] = (byte) read();
      }
      return count;
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"[\"", "{\"a\": {\"", "\""})
  void endlessString_isRefusedAtTheLimit_andTheLimitIsNamed(String begin) {
    Endless text = new Endless(begin);
    assertThatThrownBy(() -> Json.readTree(text))
        .isInstanceOf(InvalidJsonException.class)
        .hasMessageContaining("pgtoaster.json.maxStringLength")
        .hasMessageContaining(Integer.toString(Json.MAX_STRING_CHARS));
    assertThat(text.given).isLessThan(2L * Json.MAX_STRING_CHARS);
  }
}
