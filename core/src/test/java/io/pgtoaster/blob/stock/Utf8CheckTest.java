package io.pgtoaster.blob.stock;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.pgtoaster.error.UnsupportedCapabilityException;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class Utf8CheckTest {
  @Test
  void wholeCharacters_areAcceptedInAnySplit() {
    byte[] text = "aß€😀".repeat(5000).getBytes(UTF_8);
    for (int size = 1; size < 12; size++) {
      Utf8Check check = new Utf8Check();
      for (int from = 0; from < text.length; from += size) {
        check.add(text, from, Math.min(size, text.length - from));
      }
      check.end();
    }
    assertThat(text).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"c3", "61e282", "f09f98", "80", "c080", "eda080", "f4908080", "00", "6100"})
  void otherBytes_areRefusedWithTheSqlState(String hex) {
    byte[] bytes = HexFormat.of().parseHex(hex);
    assertThatExceptionOfType(UnsupportedCapabilityException.class)
        .isThrownBy(() -> Utf8Check.check(bytes, 0, bytes.length))
        .satisfies(e -> assertThat(e.sqlState()).isEqualTo("22021"));
  }
}
