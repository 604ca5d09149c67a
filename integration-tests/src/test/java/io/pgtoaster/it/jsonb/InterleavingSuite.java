package io.pgtoaster.it.jsonb;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.PgToaster;
import io.pgtoaster.it.kit.DocumentFixture;
import io.pgtoaster.it.kit.DocumentSpec;
import io.pgtoaster.it.kit.PostgresServers;
import io.pgtoaster.it.kit.Session;
import io.pgtoaster.it.kit.Setting;
import io.pgtoaster.it.kit.TableFixture;
import io.pgtoaster.jsonb.DocumentColumn;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Several connections stepped through over one document. */
@ParameterizedClass(name = "{0}")
@MethodSource("specs")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class InterleavingSuite {
  static final int READ_COMMITTED = Connection.TRANSACTION_READ_COMMITTED;
  static final int REPEATABLE_READ = Connection.TRANSACTION_REPEATABLE_READ;
  static final int SERIALIZABLE = Connection.TRANSACTION_SERIALIZABLE;

  private DocumentFixture fixture;

  @Parameter DocumentSpec spec;

  static Stream<DocumentSpec> specs() {
    return Stream.of(
        DocumentSpec.keyed("{\"row_budget\": 256, \"leaf_size\": 512, \"fan_out\": 4}"),
        DocumentSpec.keyed("{}"));
  }

  final DocumentFixture fx() {
    if (fixture == null) {
      fixture = new DocumentFixture(new Setting(PostgresServers.newest(), true), spec);
      fixture.database().run("ALTER TABLE item ADD COLUMN IF NOT EXISTS plain jsonb");
    }
    return fixture;
  }

  final Session session(String name, int isolation) throws SQLException {
    return new Session(fx(), name, isolation);
  }

  /** Plain jsonb beside the document, which the same calls change without any tricks. */
  final DocumentColumn plain() {
    return PgToaster.create(fx().pool()).documents(TableFixture.TABLE, "plain");
  }

  @AfterEach
  void leaveNothingBehind() throws SQLException {
    fx().afterTest();
    for (String key : fx().database().strings("SELECT id FROM item")) {
      assertThat(fx().own().verify(Long.valueOf(key))).isEmpty();
    }
    fx().database().run("DELETE FROM item");
    assertThat(fx().orphans()).isEmpty();
  }

  @AfterAll
  void close() {
    if (fixture != null) {
      fixture.close();
      fixture = null;
    }
  }
}
