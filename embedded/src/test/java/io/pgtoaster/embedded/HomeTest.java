package io.pgtoaster.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class HomeTest {
  @Test
  void home_followsTheEnvironment() {
    assertThat(Home.cache(Map.of("PGTOASTER_HOME", "/p"), ServerUser.SELF))
        .isEqualTo(Path.of("/p/cache"));
    assertThat(Home.data(Map.of("XDG_DATA_HOME", "/d"), ServerUser.SELF))
        .isEqualTo(Path.of("/d/pgtoaster"));
    assertThat(Home.cache(Map.of("XDG_CACHE_HOME", "relative"), ServerUser.SELF))
        .isEqualTo(Path.of(System.getProperty("user.home"), ".cache/pgtoaster"));
    assertThat(Home.cache(Map.of(), ServerUser.NOBODY)).isEqualTo(Path.of("/var/cache/pgtoaster"));
  }
}
