package io.pgtoaster.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.it.kit.Bytes;
import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.Fixture;
import io.pgtoaster.it.kit.PostgresServers;
import io.pgtoaster.it.kit.Setting;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Content far larger than the client's memory. */
class MemoryIT {
  private static final long LENGTH = 200_000_000;

  @ParameterizedTest
  @ValueSource(strings = {"append", "appendStream"})
  void twoHundredMegabytes_goInAndOutThrough32(String how) throws Exception {
    Setting setting = new Setting(PostgresServers.newest(), true);
    try (Fixture fx = new Fixture(setting, ColumnSpec.appendable("{}"))) {
      Object key = fx.row();
      Process child =
          new ProcessBuilder(
                  List.of(
                      Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                      "-Xmx32m",
                      "-cp",
                      System.getProperty("java.class.path"),
                      SmallMemory.class.getName(),
                      fx.database().server().postgres().jdbcUrl(fx.database().name()),
                      fx.database().server().postgres().user(),
                      key.toString(),
                      how,
                      Long.toString(LENGTH)))
              .redirectErrorStream(true)
              .start();
      String output =
          new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      assertThat(child.waitFor(120, TimeUnit.SECONDS)).isTrue();
      String expected = Bytes.hex(SmallMemory.digestOfInput(LENGTH));
      assertThat(output).isEqualTo(expected + " " + expected);
      assertThat(fx.own().length(key)).isEqualTo(LENGTH);
    }
  }
}
