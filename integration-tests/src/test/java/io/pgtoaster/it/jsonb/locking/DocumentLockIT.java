package io.pgtoaster.it.jsonb.locking;

import static io.pgtoaster.it.kit.Session.doing;
import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.PgToaster;
import io.pgtoaster.error.AccessDeniedException;
import io.pgtoaster.error.RowNotFoundException;
import io.pgtoaster.error.TransactionRequiredException;
import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.Database;
import io.pgtoaster.it.kit.DocumentFixture;
import io.pgtoaster.it.kit.DocumentSpec;
import io.pgtoaster.it.kit.Documents;
import io.pgtoaster.it.kit.Expect;
import io.pgtoaster.it.kit.Session;
import io.pgtoaster.it.kit.Session.Step;
import io.pgtoaster.it.kit.Setting;
import io.pgtoaster.it.kit.Wait;
import io.pgtoaster.jsonb.DocumentColumn;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A document that is locked for all edits of a transaction. */
@ParameterizedClass(name = "{0}, {1}")
@MethodSource("places")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DocumentLockIT {
  private static final long SEED = Long.getLong("pgtoaster.test.seed", 20_261_122);
  private static final int TRANSACTIONS = 20;
  private static final int EDITS = 5;
  private static final List<String> LEAVES = List.of("list[2].t", "map.k040.t");
  private static final List<String> MEMBERS = List.of("n", "s");

  @Parameter(0)
  Setting setting;

  @Parameter(1)
  ColumnSpec spec;

  private DocumentFixture fx;
  private Object split;
  private Object plain;
  private Session a;
  private Session b;

  static Stream<Arguments> places() {
    return Setting.newestByBoth().stream()
        .flatMap(
            setting ->
                Stream.of(DocumentSpec.keyed("{}"), DocumentSpec.attachedStock())
                    .map(spec -> Arguments.of(setting, spec)));
  }

  @BeforeEach
  void open() throws Exception {
    if (fx == null) {
      fx = new DocumentFixture(setting, spec);
    }
    split = fx.row(Writes.document(0, 60));
    plain = fx.row("{\"n\": 1, \"s\": \"short\"}");
    a = new Session(fx, "A", Connection.TRANSACTION_READ_COMMITTED, false);
    b = new Session(fx, "B", Connection.TRANSACTION_READ_COMMITTED, false);
  }

  @AfterEach
  void leaveNothingBehind() throws Exception {
    fx.afterTest();
  }

  /**
   * Runs after each invocation, not at the end, because JUnit keeps one instance for all of them.
   */
  @AfterParameterizedClassInvocation
  void close() {
    fx.close();
    fx = null;
  }

  private static boolean lock(DocumentColumn documents, Object key) {
    documents.lock(key);
    return true;
  }

  @Test
  void lockedDocument_isReadableByAll_andEditableOnlyByItsHolder() throws Exception {
    for (Object key : List.of(split, plain)) {
      for (String path : key.equals(split) ? List.of(LEAVES.get(0), MEMBERS.get(0)) : MEMBERS) {
        a.runs(d -> lock(d, key));
        String before = b.runs(d -> d.at(key, path).text()).orElseThrow();
        Step<Boolean> edit = b.waits(doing(d -> d.at(key, path).set("by B")), a);
        a.runs(doing(d -> d.at(key, path).set("by A")));
        a.commits();
        assertThat(edit.continues()).isTrue();
        b.commits();
        assertThat(before).isNotEqualTo("\"by B\"");
        assertThat(fx.own().at(key, path).text()).contains("\"by B\"");
      }
    }
  }

  @Test
  void rowWithoutADocument_isLocked() throws Exception {
    Object empty = fx.row();
    a.runs(d -> lock(d, empty));
    Step<Object> put = b.waits(d -> d.putJson(empty, "{}"), a);
    a.commits();
    put.continues();
    b.commits();
    Expect.refused(RowNotFoundException.class, () -> a.runs(d -> lock(d, fx.unknownKey())));
    a.rollsBack();
  }

  /** Without the lock, the server would roll back one of them. See {@link KeyedInterleavingIT}. */
  @Test
  void lockedEditsInOppositeOrder_queue() throws Exception {
    for (List<String> paths :
        List.of(LEAVES, List.of("list[2].t", "n"), List.of("map", "list[2].t"))) {
      a.runs(d -> lock(d, split));
      Step<Boolean> other = b.waits(d -> lock(d, split), a);
      for (String path : paths) {
        a.runs(doing(d -> d.at(split, path).set("by A")));
      }
      a.commits();
      other.continues();
      for (int i = paths.size() - 1; i >= 0; i--) {
        String path = paths.get(i);
        b.runs(doing(d -> d.at(split, path).set("by B")));
      }
      b.commits();
      assertThat(fx.own().at(split, paths.get(0)).text()).contains("\"by B\"");
      assertThat(fx.own().verify(split)).isEmpty();
    }
  }

  @Test
  void lockedTransactionsOfRandomEdits_allCommit() throws Exception {
    Wait.inThreads(
        2,
        writer -> {
          Random random = new Random(SEED + writer);
          Connection connection = fx.begin();
          DocumentColumn documents = fx.on(connection);
          for (int i = 0; i < TRANSACTIONS; i++) {
            documents.lock(split);
            documents.at(split, "n").increment(1);
            for (int edit = 0; edit < EDITS; edit++) {
              edit(documents, random);
            }
            connection.commit();
          }
        });
    assertThat(fx.own().at(split, "n").get(Integer.class)).contains(1 + 2 * TRANSACTIONS);
    assertThat(fx.own().verify(split)).isEmpty();
  }

  private void edit(DocumentColumn documents, Random random) {
    int at = random.nextInt(50);
    switch (random.nextInt(5)) {
      case 0 -> documents.at(split, "list[%d].no".formatted(at)).set(at);
      case 1 -> documents.at(split, "map.k0%02d.t".formatted(at)).set(Documents.words(at, 300));
      case 2 -> documents.at(split, "deep.in.rows").append(Documents.words(at, 500));
      case 3 ->
          documents
              .at(split, "list[%d]".formatted(at))
              .insert(Map.of("t", Documents.words(at, 100)));
      default -> documents.at(split, "text").set(Documents.words(at, 1_000 + 100 * at));
    }
  }

  @Test
  void lockOutsideTransaction_isRefused() {
    Expect.refused(TransactionRequiredException.class, () -> fx.own().lock(split));
    Expect.refused(TransactionRequiredException.class, () -> fx.on(fx.connect()).lock(split));
  }

  @Test
  void lockInAJoinedTransaction_isHeldUntilItsEnd() throws Exception {
    List<Connection> current = new ArrayList<>();
    PgToaster pgToaster =
        PgToaster.create(fx.pool(), () -> current.isEmpty() ? null : current.get(0));
    DocumentColumn joining =
        (setting.extension() ? pgToaster : pgToaster.withoutExtension())
            .documents("item", DocumentFixture.COLUMN);
    Expect.refused(TransactionRequiredException.class, () -> joining.lock(split));
    current.add(fx.begin());
    joining.lock(split);
    Step<Boolean> other = b.waits(doing(d -> d.at(split, LEAVES.get(0)).set("by B")));
    current.get(0).rollback();
    assertThat(other.continues()).isTrue();
    b.commits();
  }

  @Test
  void lockWithoutUpdatePrivilege_isRefused_andLocksNothing() throws Exception {
    Database database = fx.database();
    String role = database.name() + "_role";
    database.run(
        "CREATE ROLE " + role + " LOGIN",
        "ALTER TABLE item ADD COLUMN IF NOT EXISTS other integer",
        "GRANT SELECT, UPDATE (other) ON item TO " + role,
        "SELECT pgtoaster.mirror_privileges('item')");
    try {
      assertRefused(role);
      database.run(
          "GRANT UPDATE ON item TO " + role,
          "ALTER TABLE item ENABLE ROW LEVEL SECURITY",
          "CREATE POLICY see ON item FOR SELECT USING (true)",
          "CREATE POLICY change ON item FOR UPDATE USING (other = 1)",
          "SELECT pgtoaster.mirror_privileges('item')");
      assertRefused(role);
      database.run("UPDATE item SET other = 1");
      try (Connection connection = database.connect(role)) {
        connection.setAutoCommit(false);
        column(connection).lock(split);
        column(connection).at(split, LEAVES.get(0)).set("by the role");
        connection.commit();
      }
      assertThat(fx.own().at(split, LEAVES.get(0)).text()).contains("\"by the role\"");
    } finally {
      database.run(
          "ALTER TABLE item DISABLE ROW LEVEL SECURITY",
          "DROP POLICY IF EXISTS see ON item",
          "DROP POLICY IF EXISTS change ON item",
          "SELECT pgtoaster.mirror_privileges('item')",
          "DROP OWNED BY " + role + " CASCADE",
          "DROP ROLE " + role);
    }
  }

  private DocumentColumn column(Connection connection) {
    PgToaster pgToaster = PgToaster.on(connection);
    return (setting.extension() ? pgToaster : pgToaster.withoutExtension())
        .documents("item", DocumentFixture.COLUMN);
  }

  private void assertRefused(String role) throws Exception {
    for (Object key : List.of(split, plain)) {
      try (Connection connection = fx.database().connect(role)) {
        connection.setAutoCommit(false);
        Expect.refused(AccessDeniedException.class, () -> column(connection).lock(key));
        a.runs(doing(d -> d.at(key, "n").set(5)));
        a.commits();
        connection.rollback();
      }
    }
  }
}
