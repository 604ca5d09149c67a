package io.pgtoaster.it.cost;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.it.kit.Bytes;
import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.Fixture;
import io.pgtoaster.it.kit.Pattern;
import io.pgtoaster.it.kit.PostgresServers;
import io.pgtoaster.it.kit.Setting;
import io.pgtoaster.it.kit.SmallJvm;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Content that is far larger than the client's memory. */
@Tag("ci")
@Tag("turn-2")
class MemoryIT {
  private static final long LENGTH = 100_000_000;

  @ParameterizedTest
  @ValueSource(strings = {"append", "appendStream"})
  void hundredMegabytes_areStreamedWithAHeapOf32Megabytes(String how) throws Exception {
    Setting setting = new Setting(PostgresServers.newest(), true);
    try (Fixture fx = new Fixture(setting, ColumnSpec.appendable("{}"))) {
      Object key = fx.row();
      String output = SmallJvm.run(32, SmallMemory.class, fx.database(), key, how, LENGTH);
      String expected = Bytes.hex(Pattern.digest(LENGTH));
      assertThat(output).isEqualTo(expected + " " + expected);
      assertThat(fx.own().length(key)).isEqualTo(LENGTH);
    }
  }
}
