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
  void jdbcUrl_isUsedUnchanged_exceptUserAndPasswords() {
    assertThat(Target.parse("jdbc:postgresql://h:5433/d?ssl=true"))
        .isEqualTo(new Target("jdbc:postgresql://h:5433/d?ssl=true", Map.of()));
    assertThat(Target.parse("jdbc:postgresql:d?user=u&ssl=true&password=p%2B+&sslpassword=s&a"))
        .isEqualTo(
            new Target(
                "jdbc:postgresql:d?ssl=true&a",
                Map.of("user", "u", "password", "p+ ", "sslpassword", "s")));
  }

  @Test
  void libpqUri_isParsed() {
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
      strings = {
        "",
        "mysql://h/d",
        "h:5432",
        "postgres://h/d?host=/tmp",
        "postgres://%zz@h/",
        "postgres://me:secret@secret@h/d",
        "postgres://me:sec/secret@h/d",
        "postgres://me:sec?secret@h/d",
        "postgres://me:1?secret@h/d",
        "postgres://me:secret",
        "jdbc:postgresql://me:secret@h/d",
        "jdbc:postgresql://me:sec/secret@h/d"
      })
  void otherUrls_areRefused_andNotRepeatedInTheMessage(String url) {
    assertThatExceptionOfType(Failure.class)
        .isThrownBy(() -> Target.parse(url))
        .satisfies(e -> assertThat(e.exitCode()).isEqualTo(2))
        .satisfies(e -> assertThat(e).hasMessageNotContaining("secret"));
  }

  @Test
  void environment_needsAHostServiceOrUrl() {
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
  void severalHostsOfAnyKind_areAccepted() {
    assertThat(Target.parse("postgres://[::1]:5433,10.0.0.1,db-2:1/d").url())
        .isEqualTo("jdbc:postgresql://[::1]:5433,10.0.0.1,db-2:1/d");
  }

  @Test
  void credentialsInTheUrl_takePrecedence_andItsUserMayUseThePasswordInTheEnvironment() {
    Map<String, String> env = Map.of("PGUSER", "other", "PGPASSWORD", "secret");
    assertThat(PgEnvironment.withCredentials(Target.parse("postgres://me@h/d"), env).properties())
        .containsOnly(Map.entry("user", "me"), Map.entry("password", "secret"));
    assertThat(
            PgEnvironment.withCredentials(
                    Target.parse("jdbc:postgresql://h/d?user=u&password=p"), env)
                .properties())
        .containsOnly(Map.entry("user", "u"), Map.entry("password", "p"));
    assertThat(
            PgEnvironment.withCredentials(Target.parse("jdbc:postgresql://h/d?user=u"), env)
                .properties())
        .containsOnly(Map.entry("user", "u"), Map.entry("password", "secret"));
  }
}
