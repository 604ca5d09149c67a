package io.pgtoaster.it.cost;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.it.kit.DocumentFixture;
import io.pgtoaster.it.kit.DocumentSpec;
import io.pgtoaster.it.kit.PostgresServers;
import io.pgtoaster.it.kit.Setting;
import io.pgtoaster.it.kit.SmallJvm;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A string or key that is longer than the client's memory is streamed into a document. */
@Tag("ci")
@Tag("turn-2")
class StringMemoryIT {
  @AutoClose private DocumentFixture fx;
  private Object key;

  @BeforeEach
  void row() {
    fx = new DocumentFixture(new Setting(PostgresServers.newest(), true), DocumentSpec.keyed("{}"));
    key = fx.row();
    fx.own().putJson(key, "{\"old\": 1}");
  }

  private String put(String begin, long letters, String end) throws Exception {
    return SmallJvm.run(64, SmallString.class, fx.database(), key, begin, end, letters);
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = ' ',
      value = {"{\"a\":\" \"}", "{\"a\":1,\" \":2}", "\" \""})
  void stringOf150Megabytes_isRefused_andTheLimitIsNamed(String begin, String end)
      throws Exception {
    assertThat(put(begin, 150_000_000, end))
        .matches(
            ".*a string or key has more than the \\d{7} characters.*pgtoaster.json.maxStringLength.*");
    assertThat(fx.own().text(key)).hasValue("{\"old\": 1}");
  }

  @Test
  void largestAllowedString_isStored() throws Exception {
    assertThat(put("{\"a\":\"", 4_000_000, "\"}")).isEqualTo("stored");
    assertThat(fx.own().at(key, "a").get(String.class))
        .hasValueSatisfying(a -> assertThat(a).hasSize(4_000_000));
  }
}
