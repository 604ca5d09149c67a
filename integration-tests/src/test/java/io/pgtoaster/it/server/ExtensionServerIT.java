package io.pgtoaster.it.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.it.kit.Database;
import io.pgtoaster.it.kit.NeedsExtension;
import io.pgtoaster.it.kit.PostgresServers;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Checks that the servers under test have the C extension. */
@NeedsExtension
@ParameterizedClass(name = "PostgreSQL {0}")
@MethodSource("versions")
class ExtensionServerIT {
  @Parameter int version;

  static Stream<Integer> versions() {
    return PostgresServers.versions().stream();
  }

  @Test
  void extension_isInstalledWithItsModule() {
    Database database = PostgresServers.shared(version).database();
    database.run("CREATE EXTENSION pgtoaster");
    database.run("LOAD '$libdir/pgtoaster'");
    assertThat(database.string("SELECT extversion FROM pg_extension WHERE extname = 'pgtoaster'"))
        .isEqualTo(
            database.string(
                "SELECT default_version FROM pg_available_extensions WHERE name = 'pgtoaster'"));
  }
}
