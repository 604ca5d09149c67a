package io.pgtoaster.cli.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.pgtoaster.cli.exit.Failure;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TargetTest {
  @Test
  void jdbcUrl_isTakenAsItStands() {
    String url = "jdbc:postgresql://h:5433/d?user=u&password=p";
    assertThat(Target.parse(url)).isEqualTo(new Target(url, Map.of()));
  }

  @Test
  void libpqUri_isTakenApart() {
    Target target =
        Target.parse(
            "postgres://us%40er:p%2Fw%3A@h1:1,h2:2/d%20b?sslmode=require&connect_timeout=3");
    assertThat(target.url()).isEqualTo("jdbc:postgresql://h1:1,h2:2/d%20b");
    assertThat(target.properties())
        .containsOnly(
            Map.entry("user", "us@er"),
            Map.entry("password", "p/w:"),
            Map.entry("sslmode", "require"),
            Map.entry("loginTimeout", "3"));
    assertThat(Target.parse("postgresql://").url()).isEqualTo("jdbc:postgresql://localhost/");
    assertThat(Target.parse("postgres://me@/db?host=h&port=1").url())
        .isEqualTo("jdbc:postgresql://h:1/db");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "mysql://h/d", "h:5432", "postgres://h/d?host=/tmp", "postgres://%zz@h/"})
  void others_areRefusedWithoutRepeatingThem(String url) {
    assertThatExceptionOfType(Failure.class)
        .isThrownBy(() -> Target.parse(url))
        .satisfies(e -> assertThat(e.exitCode()).isEqualTo(2));
  }

  @Test
  void environment_namesADatabaseByAPlace() {
    assertThat(PgEnvironment.target(Map.of())).isEmpty();
    assertThat(PgEnvironment.target(Map.of("PGUSER", "u", "PGPASSWORD", "p", "PGHOST", "")))
        .isEmpty();
    Target target =
        PgEnvironment.target(Map.of("PGHOST", "h", "PGPORT", "1", "PGDATABASE", "d", "PGUSER", "u"))
            .orElseThrow();
    assertThat(target).isEqualTo(new Target("jdbc:postgresql://h:1/d", Map.of("user", "u")));
    assertThat(PgEnvironment.target(Map.of("PGSERVICE", "s")).orElseThrow().url())
        .isEqualTo("jdbc:postgresql:///?service=s");
    assertThat(PgEnvironment.target(Map.of("PGTOASTER_URL", "postgres://x/y", "PGHOST", "h")))
        .map(Target::url)
        .contains("jdbc:postgresql://x/y");
  }

  @Test
  void credentials_ofTheUrlWin() {
    Map<String, String> env = Map.of("PGUSER", "other", "PGPASSWORD", "secret");
    assertThat(PgEnvironment.withCredentials(Target.parse("postgres://me@h/d"), env).properties())
        .containsEntry("user", "me");
    assertThat(
            PgEnvironment.withCredentials(Target.parse("jdbc:postgresql://h/d?user=u"), env)
                .properties())
        .isEmpty();
  }
}
