package io.pgtoaster.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ByteSizeTest {
  @ParameterizedTest
  @CsvSource({
    "0,0",
    "8100,8100",
    "4K,4096",
    "4k,4096",
    "1kB,1000",
    "2MiB,2097152",
    "1GB,1000000000"
  })
  void parse_acceptsTheSyntaxOfHead(String text, long bytes) {
    assertThat(ByteSize.parse(text)).isEqualTo(bytes);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-1", "4X", "1.5M", "9999999999T", "9999999999999999999"})
  void parse_refusesOtherTexts(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> ByteSize.parse(text));
  }

  @Test
  void format_hasAtMostFourDigits() {
    assertThat(ByteSize.format(1)).isEqualTo("1 byte");
    assertThat(ByteSize.format(999)).isEqualTo("999 bytes");
    assertThat(ByteSize.format(999_960)).isEqualTo("1.0 MB");
    assertThat(ByteSize.format(128_651_445)).isEqualTo("128.7 MB");
    assertThat(ByteSize.rate(5_000_000, 500_000_000)).isEqualTo("10.0 MB/s");
  }

  @Test
  void printableText_hasNoControlCharacters() {
    assertThat(PrintableText.of("a\n\u001b[31m\u202eb é 键"))
        .isEqualTo("a\\n\\u001B[31m\\u202Eb é 键");
  }

  @Test
  void textTable_linesUp() {
    TextTable table = new TextTable("lr");
    table.row("name", "n");
    table.row("x", 1234);
    assertThat(table.toString().lines()).containsExactly("name     n", "x     1234");
  }
}
