package io.pgtoaster.it.jsonb.locking;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.it.kit.Documents;
import io.pgtoaster.it.kit.RoleDatabase;
import io.pgtoaster.it.kit.Setting;
import io.pgtoaster.it.kit.Sql;
import io.pgtoaster.it.kit.Wait;
import io.pgtoaster.jsonb.DocumentColumn;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A leaf is split after an edit has read the node above it and before it reads the leaf. A policy
 * of the store, whose function waits, stops the edit there.
 */
@ParameterizedClass(name = "{0}")
@MethodSource("io.pgtoaster.it.kit.Setting#newest")
class SplitDuringEditIT {
  private static final int LOCK = 4711;

  @Parameter Setting setting;

  @AutoClose private RoleDatabase db;
  private String writer;
  private DocumentColumn documents;

  @BeforeEach
  void document() throws SQLException {
    db = new RoleDatabase(setting);
    writer = db.role("writer");
    db.as(
        db.owner(),
        "CREATE TABLE item (id bigint PRIMARY KEY, doc jsonb)",
        "INSERT INTO item VALUES (1)",
        "SELECT pgtoaster.attach('item', 'doc', 'keyed', '{\"row_budget\": 256, \"leaf_size\": 512}')",
        "GRANT SELECT, UPDATE ON item TO " + writer,
        "SELECT pgtoaster.mirror_privileges('item')",
        """
        CREATE FUNCTION stops(id bigint) RETURNS boolean LANGUAGE plpgsql AS $$
        BEGIN
          IF current_setting('test.stop_at', true) = CAST(id AS text) THEN
            PERFORM pg_advisory_lock_shared(%1$d), pg_advisory_unlock_shared(%1$d);
          END IF;
          RETURN true;
        END $$\
        """
            .formatted(LOCK),
        "ALTER TABLE pgtoaster.store_1_node ENABLE ROW LEVEL SECURITY",
        "CREATE POLICY stops ON pgtoaster.store_1_node USING (stops(id))");
    documents = db.documents(db.owner());
    documents.putJson(
        1L,
        "{\"map\": {%s}, \"list\": [%s]}"
            .formatted(members(i -> "\"k%02d\": ".formatted(i)), members(i -> "")));
  }

  private static String members(IntFunction<String> key) {
    return IntStream.range(0, 60)
        .mapToObj(i -> key.apply(i) + '"' + Documents.words(i, 30) + '"')
        .collect(Collectors.joining(", "));
  }

  @ParameterizedTest
  @CsvSource({"map, true", "map, false", "list, false"})
  void edit_ofALeafThatWasSplitMeanwhile_findsItsValue(String member, boolean create)
      throws Exception {
    try (Connection stopped = db.database().connect(writer);
        Connection stops = db.database().connect(db.owner())) {
      String root = Sql.string(stops, "SELECT doc#>>'{%s,$pgtoaster}' FROM item".formatted(member));
      List<String> steps = steps(stops, root);
      Sql.run(stopped, "SET test.stop_at = " + Sql.literal(root));
      Sql.run(stops, "SELECT pg_advisory_lock(%d)".formatted(LOCK));
      Future<?> edit =
          Wait.start(
              () -> {
                Sql.run(
                    stopped,
                    "UPDATE item SET doc = pgtoaster.set(doc, '{%s,%s}', '\"edited\"', %s)"
                        .formatted(member, steps.get(steps.size() - 1), create));
                return null;
              });
      db.database().awaitLockWaiters(1);
      for (int i = 0; i < steps.size() - 1; i++) {
        documents.at(1L, DocumentPath.of(member, steps.get(i))).set(Documents.words(i, 150));
      }
      assertThat(steps(stops, root)).as("the leaf now").isNotEmpty().hasSizeLessThan(steps.size());
      Sql.run(stops, "SELECT pg_advisory_unlock(%d)".formatted(LOCK));
      Wait.get(edit);
      assertThat(
              documents
                  .at(1L, DocumentPath.of(member, steps.get(steps.size() - 1)))
                  .get(String.class))
          .contains("edited");
      assertThat(documents.at(1L, member).size()).hasValue(60);
      assertThat(documents.verify(1L)).isEmpty();
    }
  }

  /** Returns the steps to the values in the first leaf of a branch. */
  private static List<String> steps(Connection connection, String root) throws SQLException {
    return Sql.strings(
        connection,
        """
        SELECT s FROM pgtoaster.store_1_node r JOIN pgtoaster.store_1_node l ON l.doc = r.doc AND l.id = r.kids[1],
          LATERAL (SELECT jsonb_object_keys(l.value) WHERE l.kind = 'o'
                   UNION ALL SELECT CAST(generate_series(0, jsonb_array_length(l.value) - 1) AS text) WHERE l.kind = 'a') x(s)
        WHERE r.id = %s
        """
            .formatted(root));
  }
}
