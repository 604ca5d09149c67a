package io.pgtoaster.it.jsonb.locking;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.PgToaster;
import io.pgtoaster.it.kit.Breadth;
import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.DocumentFixture;
import io.pgtoaster.it.kit.DocumentSpec;
import io.pgtoaster.it.kit.Plan;
import io.pgtoaster.it.kit.PostgresServers;
import io.pgtoaster.it.kit.Session;
import io.pgtoaster.it.kit.Setting;
import io.pgtoaster.it.kit.TableFixture;
import io.pgtoaster.jsonb.DocumentColumn;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Steps several connections through changes of one document. */
@ParameterizedClass(name = "{0}, {1}")
@MethodSource("specs")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class InterleavingSuite {
  protected static final int READ_COMMITTED = Connection.TRANSACTION_READ_COMMITTED;
  protected static final int REPEATABLE_READ = Connection.TRANSACTION_REPEATABLE_READ;
  protected static final int SERIALIZABLE = Connection.TRANSACTION_SERIALIZABLE;

  private DocumentFixture fixture;

  /** The executor that the connections use. */
  public enum Executors {
    PLAIN_SQL,
    EXTENSION,
    /** Connections A, C and so on use the extension, the others plain SQL. */
    MIXED
  }

  @Parameter(0)
  ColumnSpec spec;

  @Parameter(1)
  Executors executors;

  static Stream<Arguments> specs() {
    return Plan.inTurn(all().toList()).stream();
  }

  static Stream<Arguments> all() {
    boolean extension = Breadth.chosen().executors().contains(true);
    return Stream.of(
            DocumentSpec.keyed("{\"row_budget\": 256, \"leaf_size\": 512, \"fan_out\": 4}"),
            DocumentSpec.keyed("{\"leaf_size\": 512}"))
        .flatMap(
            spec ->
                Stream.of(Executors.values())
                    .filter(e -> extension || e == Executors.PLAIN_SQL)
                    .map(e -> Arguments.of(spec, e)));
  }

  protected final DocumentFixture fx() {
    if (fixture == null) {
      fixture =
          new DocumentFixture(
              new Setting(PostgresServers.newest(), true, executors != Executors.PLAIN_SQL), spec);
      fixture.database().run("ALTER TABLE item ADD COLUMN IF NOT EXISTS plain jsonb");
    }
    return fixture;
  }

  protected final Session session(String name, int isolation) throws SQLException {
    boolean bySql = executors == Executors.MIXED && name.charAt(0) % 2 == 0;
    return new Session(fx(), name, isolation, bySql);
  }

  /** A plain jsonb column that the same calls change, for comparison. */
  protected final DocumentColumn plain() {
    return PgToaster.create(fx().pool()).documents(TableFixture.TABLE, "plain");
  }

  @AfterEach
  void leaveNothingBehind() throws SQLException {
    fx().afterTest();
    for (String key : fx().strings("SELECT id FROM item")) {
      assertThat(fx().own().verify(Long.valueOf(key))).isEmpty();
    }
    fx().run("DELETE FROM item");
    assertThat(fx().orphans()).isEmpty();
  }

  /**
   * Runs after each invocation, not at the end, because JUnit keeps one instance for all of them.
   */
  @AfterParameterizedClassInvocation
  void close() {
    if (fixture != null) {
      fixture.close();
      fixture = null;
    }
  }
}
