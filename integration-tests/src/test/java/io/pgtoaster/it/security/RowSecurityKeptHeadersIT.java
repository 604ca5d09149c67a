package io.pgtoaster.it.security;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.it.kit.Bytes;
import io.pgtoaster.it.kit.Sql;
import io.pgtoaster.it.kit.UnusualSettings;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A tenant attacks with functions that run within its statements, and with headers that it has
 * kept.
 */
@Tag("ci")
@ParameterizedClass(name = "{0}")
@MethodSource("io.pgtoaster.it.kit.Setting#newestByBoth")
class RowSecurityKeptHeadersIT extends TenantsSuite {
  /** Marks a write as the library's, which the trigger on the column accepts. */
  private static final String WRITE =
      "SELECT set_config('pgtoaster.write', statement_timestamp()::text, true); ";

  private static final String PARTITIONED = " PARTITION BY RANGE (id)";
  private static final String COLUMNS =
      "id int PRIMARY KEY, tenant name DEFAULT current_user, doc jsonb";

  private String header(String table, int id) {
    return db.database().string("SELECT doc FROM " + table + " WHERE id = " + id);
  }

  /** Lets every role see all rows of a table and write only its own. */
  private void showAll(String table) throws SQLException {
    db.as(
        owner,
        "DROP POLICY own ON " + table,
        "CREATE POLICY sees ON %s FOR SELECT USING (true)".formatted(table),
        "CREATE POLICY makes ON %s FOR INSERT WITH CHECK (tenant = current_user)".formatted(table),
        "CREATE POLICY changes ON %s FOR UPDATE USING (tenant = current_user)".formatted(table),
        "CREATE POLICY drops ON %s FOR DELETE USING (tenant = current_user)".formatted(table));
  }

  private void partitioned() throws Exception {
    table("part", COLUMNS, PARTITIONED);
    db.as(
        owner,
        "CREATE TABLE part_1 PARTITION OF part FOR VALUES FROM (0) TO (10)",
        "CREATE TABLE part_2 PARTITION OF part FOR VALUES FROM (10) TO (1000)");
    db.as(victim, "INSERT INTO part (id) VALUES (1)");
    db.pgToaster(victim).blobs("part", "content").append(1, Bytes.text(1, 9000));
    db.pgToaster(victim).documents("part", "doc").putJson(1, JSON);
  }

  private long documentOf(Connection c, String table, int store, int id) throws SQLException {
    long document =
        Sql.number(
            c,
            "INSERT INTO pgtoaster.store_%d_head (owner_1) VALUES (%d) RETURNING id"
                .formatted(store, id));
    Sql.run(
        c,
        "INSERT INTO pgtoaster.store_%d_node (doc, id, kind, bytes, value) VALUES (%d, 7, 's', 9, '\"mine\"')"
            .formatted(store, document));
    claim(c, table, id, document);
    return document;
  }

  private void claim(Connection c, String table, int id, long document) throws SQLException {
    Sql.run(
        c,
        WRITE
            + "UPDATE %s SET doc = '{\"$pgtoaster\": [%d], \"a\": {\"$pgtoaster\": 7}}' WHERE id = %d"
                .formatted(table, document, id));
  }

  @Test
  void contentCreatedByTheOwnersFunction_isNotTheCallers() throws Exception {
    partitioned();
    db.as(
        owner,
        """
        CREATE FUNCTION deliver() RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
        DECLARE
          blob bigint;
          document bigint;
        BEGIN
          INSERT INTO pgtoaster.store_3_head (chunk_size, tail) VALUES (8100, 'PIN\001') RETURNING id INTO blob;
          INSERT INTO part (id, tenant, content) VALUES (5, '%1$s', blob);
          INSERT INTO pgtoaster.store_4_head (owner_1) VALUES (5) RETURNING id INTO document;
          INSERT INTO pgtoaster.store_4_node (doc, id, kind, bytes, value) VALUES (document, 7, 's', 9, '"PIN"');
          PERFORM set_config('pgtoaster.write', statement_timestamp()::text, true);
          UPDATE part SET doc = jsonb_build_object('$pgtoaster', jsonb_build_array(document), 'a', '{"$pgtoaster": 7}'::jsonb) WHERE id = 5;
          RETURN blob;
        END $$
        """
            .formatted(victim));
    db.as(thief, "INSERT INTO part (id) VALUES (2)");
    try (Connection c = db.database().connect(thief)) {
      c.setAutoCommit(false);
      long blob = Sql.number(c, "SELECT deliver()");
      for (String part : List.of("3_head", "3_chunk", "4_head", "4_node")) {
        assertThat(Sql.strings(c, "SELECT ctid FROM pgtoaster.store_" + part)).as(part).isEmpty();
      }
      try (var s = c.createStatement()) {
        assertThat(s.executeUpdate("UPDATE pgtoaster.store_3_head SET tail = ''")).isZero();
        assertThat(s.executeUpdate("DELETE FROM pgtoaster.store_3_head")).isZero();
      }
      Sql.run(c, "SAVEPOINT x");
      assertThatThrownBy(() -> Sql.run(c, "UPDATE part SET content = " + blob + " WHERE id = 2"))
          .hasMessageContaining("must not be assigned");
      Sql.run(c, "ROLLBACK TO x");
      assertThatThrownBy(
              () ->
                  Sql.run(
                      c,
                      "INSERT INTO pgtoaster.store_4_node (doc, id, kind, bytes) SELECT max(id), 8, 'v', 1 FROM (VALUES (%d)) h(id)"
                          .formatted(number("SELECT max(id) + 1 FROM pgtoaster.store_4_head"))))
          .hasMessageContaining("row-level security");
      c.rollback();
    }
  }

  /** In a partitioned table no unique index rejects a second reference while a statement runs. */
  @Test
  void contentThatIsOnlyVisible_cannotBeChanged_duringAStatement() throws Exception {
    partitioned();
    showAll("part");
    long blob = number("SELECT content FROM part WHERE id = 1");
    db.as(thief, "INSERT INTO part (id) VALUES (2)");
    for (String back :
        List.of("DELETE FROM part WHERE id IN (2, 900)", "UPDATE part SET content = NULL")) {
      String evil =
          """
          CREATE FUNCTION pg_temp.evil() RETURNS int LANGUAGE plpgsql AS $$ BEGIN
            UPDATE pgtoaster.store_3_head SET sealed = true WHERE id = %1$d;
            DELETE FROM pgtoaster.store_3_chunk WHERE blob_id = %1$d;
            %2$s; RETURN 1; END $$
          """
              .formatted(blob, back);
      for (String write :
          List.of(
              "INSERT INTO part (id, content) VALUES (900, %d) RETURNING pg_temp.evil()",
              "UPDATE part SET content = %d WHERE id = 2 RETURNING pg_temp.evil()")) {
        db.assertRefused("42501", thief, evil, write.formatted(blob));
      }
    }
    assertThat(db.pgToaster(victim).blobs("part", "content").verify(1)).isEmpty();
    assertThat(db.pgToaster(victim).blobs("part", "content").read(1, 0, 9000))
        .isEqualTo(Bytes.text(1, 9000));
  }

  /** Otherwise plain SQL that runs as the owner would expand it with the current content. */
  @Test
  void headerThatWasVisibleOnce_cannotBeKept() throws Exception {
    showAll("item");
    String stub = Sql.literal(header("item", 1));
    db.as(
        owner,
        "CREATE TABLE thread (id int PRIMARY KEY)",
        "INSERT INTO thread VALUES (1)",
        "GRANT SELECT, DELETE ON thread TO " + thief,
        "ALTER TABLE item ADD thread int REFERENCES thread ON DELETE CASCADE",
        "UPDATE item SET thread = 1 WHERE id = 1");
    for (String back :
        List.of(
            "DELETE FROM item WHERE id = 900",
            "UPDATE item SET doc = '{}' WHERE id = 900",
            "DELETE FROM thread",
            "UPDATE item SET id = 901 WHERE id = 900")) {
      String evil =
          "CREATE FUNCTION pg_temp.evil() RETURNS int LANGUAGE plpgsql AS $$ BEGIN %s; RETURN 1; END $$"
              .formatted(back);
      db.assertRefused(
          back.contains("901") ? "23514" : "42501",
          thief,
          evil,
          "INSERT INTO item (id, doc) VALUES (900, %s) RETURNING pg_temp.evil()".formatted(stub));
    }
    db.assertRefused("23514", thief, WRITE + "UPDATE item SET doc = " + stub + " WHERE id = 2");
  }

  @Test
  void ownDocument_belongsToOneRow() throws Exception {
    db.as(thief, "INSERT INTO item (id) VALUES (201), (202)");
    try (Connection c = db.database().connect(thief)) {
      c.setAutoCommit(false);
      long document = documentOf(c, "item", 2, 201);
      Sql.run(c, "SAVEPOINT x");
      assertThatThrownBy(() -> claim(c, "item", 202, document))
          .hasMessageContaining("another row contains document");
      Sql.run(c, "ROLLBACK TO x");
      // The key changes, and another row gets the old key and header before the check.
      Sql.run(
          c,
          "CREATE FUNCTION pg_temp.again() RETURNS int LANGUAGE plpgsql AS $$ BEGIN INSERT INTO item (id, doc) VALUES"
              + " (201, '{\"$pgtoaster\": [%d]}'); RETURN 1; END $$".formatted(document),
          "SAVEPOINT y");
      assertThatThrownBy(
              () -> Sql.run(c, "UPDATE item SET id = 203 WHERE id = 201 RETURNING pg_temp.again()"))
          .hasMessageContaining("another row contains document");
      Sql.run(c, "ROLLBACK TO y");
      assertThatThrownBy(() -> Sql.run(c, "UPDATE pgtoaster.store_2_head SET owner_1 = 202"))
          .hasMessageContaining("permission denied");
      Sql.run(c, "ROLLBACK TO y");
      // The header may move from row to row.
      Sql.run(c, "UPDATE item SET doc = NULL WHERE id = 201");
      claim(c, "item", 202, document);
      Sql.run(c, "UPDATE item SET id = 204 WHERE id = 202");
      c.commit();
    }
    assertThat(db.rows(thief, "SELECT pgtoaster.get_text(doc, '{a}') FROM item WHERE id = 204"))
        .containsExactly("mine");
  }

  /** A cascade runs as the table's owner, which is exempt from row security. */
  @Test
  void keyChangedByACascade_leavesNoSecondRowWithTheHeader() throws Exception {
    db.as(
        owner,
        "CREATE TABLE folder (name int PRIMARY KEY)",
        "INSERT INTO folder VALUES (1), (2), (201), (202)",
        "GRANT SELECT, UPDATE ON folder TO " + thief,
        "ALTER TABLE item ADD FOREIGN KEY (id) REFERENCES folder ON UPDATE CASCADE");
    db.as(thief, "INSERT INTO item (id) VALUES (201)");
    try (Connection c = db.database().connect(thief)) {
      c.setAutoCommit(false);
      long document = documentOf(c, "item", 2, 201);
      String stub = "'{\"$pgtoaster\": [%d]}'".formatted(document);
      String cascade = "UPDATE folder SET name = 203 WHERE name = 202";
      Sql.run(c, "SAVEPOINT x");
      assertThatThrownBy(
              () -> Sql.run(c, "INSERT INTO item (id, doc) VALUES (202, " + stub + ")", cascade))
          .hasMessageContaining("another row contains document");
      Sql.run(
          c,
          "ROLLBACK TO x",
          "INSERT INTO item (id) VALUES (202)",
          "CREATE FUNCTION pg_temp.evil(gone boolean) RETURNS int LANGUAGE plpgsql AS $$ BEGIN "
              + "IF gone THEN UPDATE item SET doc = NULL WHERE id = 201; END IF; "
              + cascade
              + "; UPDATE item SET doc = NULL WHERE id = 201; RETURN 1; END $$",
          "SAVEPOINT y");
      for (boolean gone : new boolean[] {false, true}) {
        assertThatThrownBy(
                () ->
                    Sql.run(
                        c,
                        WRITE
                            + "UPDATE item SET doc = "
                            + stub
                            + " WHERE id = 202 RETURNING pg_temp.evil("
                            + gone
                            + ")"))
            .hasMessageContaining(gone ? "within the statement" : "another row contains document");
        Sql.run(c, "ROLLBACK TO y");
      }
      Sql.run(c, "UPDATE folder SET name = 204 WHERE name = 201");
      c.commit();
    }
    assertThat(db.rows(thief, "SELECT pgtoaster.get_text(doc, '{a}') FROM item WHERE id = 204"))
        .containsExactly("mine");
  }

  /** A row may still have the header of a document that its role has deleted. */
  @Test
  void numbersOfHeads_cannotBeChosen() throws Exception {
    long blob = number("SELECT last_value FROM pgtoaster.store_1_head_id_seq");
    long document = number("SELECT last_value FROM pgtoaster.store_2_head_id_seq");
    db.assertRefused(
        "42501",
        thief,
        "INSERT INTO pgtoaster.store_1_head (id, chunk_size) VALUES (" + blob + ", 8100)");
    db.assertRefused(
        "42501",
        thief,
        "INSERT INTO pgtoaster.store_2_head (id, owner_1) VALUES (" + document + ", 2)");
    db.as(thief, "INSERT INTO pgtoaster.store_2_head (owner_1) VALUES (2)");
  }

  /** The state after changes without triggers. */
  @Test
  void headerOfAnotherRow_isNotAdoptedByAChangeOfTheKey() throws Exception {
    db.database()
        .runWithoutTriggers(
            "UPDATE item SET doc = (SELECT doc FROM item WHERE id = 1) WHERE id = 2",
            "DELETE FROM item WHERE id = 1");
    db.assertRefused("23514", thief, "UPDATE item SET id = 3 WHERE id = 2");
    assertThat(db.rows(thief, "SELECT id FROM pgtoaster.store_2_node")).isEmpty();
  }

  @Test
  void ownContent_canStillBeMovedAndPassedOn() throws Exception {
    partitioned();
    db.as(victim, "INSERT INTO part (id) VALUES (2)");
    var blobs = db.pgToaster(victim).blobs("part", "content");
    var documents = db.pgToaster(victim).documents("part", "doc");
    blobs.append(2, "second".getBytes(US_ASCII));
    documents.putJson(2, JSON.replace("DE", "AT"));
    db.as(
        victim,
        "UPDATE part SET id = id + 10",
        "UPDATE part SET id = id - 10 WHERE id = 12",
        "INSERT INTO part (id) VALUES (1)");
    long blob = number("SELECT content FROM part WHERE id = 2");
    db.as(
        victim,
        "BEGIN",
        "UPDATE part SET content = NULL, doc = NULL WHERE id = 2",
        "UPDATE part SET content = %d, doc = %s WHERE id = 1"
            .formatted(blob, Sql.literal(header("part", 2))),
        "COMMIT");
    assertThat(blobs.read(1, 0, 6)).isEqualTo("second".getBytes(US_ASCII));
    assertThat(blobs.length(11)).isEqualTo(9000);
    assertThat(documents.at(1, "iban").get()).asString().contains("AT");
    assertThat(documents.at(11, "secret.2000").get()).asString().contains("1");
  }

  /** After a row was dropped with its partition, any role can use its key. */
  @Test
  void repair_assignsNoDocumentByKeyAlone() throws Exception {
    partitioned();
    db.as(
        owner,
        "DROP TABLE part_1",
        "CREATE TABLE part_1 PARTITION OF part FOR VALUES FROM (0) TO (10)");
    db.as(thief, "INSERT INTO part (id, doc) VALUES (1, '{}')");
    db.database().runWithoutTriggers("UPDATE part SET doc = '{\"$pgtoaster\": [77]}'");
    db.as(owner, "SELECT pgtoaster.repair('part', 'doc', NULL, false)");
    assertThat(db.rows(thief, "SELECT doc FROM part")).containsExactly("{}");
    assertThat(db.rows(thief, "SELECT id FROM pgtoaster.store_4_node")).isEmpty();
    assertThat(
            db.rows(
                owner,
                "SELECT value FROM pgtoaster.store_4_aside WHERE what LIKE '%refers to this row'"))
        .singleElement()
        .asString()
        .contains("abcdefghij");
  }

  /** Backslashes in literals are escapes with this setting. */
  @Test
  void functions_workTheSame_withoutStandardConformingStrings() throws Exception {
    try (Connection c = db.database().connect(owner)) {
      Sql.run(
          c,
          "SET standard_conforming_strings = " + UnusualSettings.conformingStrings(db.database()));
      assertThat(Sql.number(c, "SELECT pgtoaster.blob_length(content) FROM item WHERE id = 1"))
          .isEqualTo(9008);
      assertThat(
              Sql.strings(
                  c,
                  "SELECT encode(pgtoaster.blob_read(content, 9000, 99), 'escape') FROM item WHERE id = 1"))
          .containsExactly("PIN 4711");
      Sql.run(
          c,
          "UPDATE item SET doc = pgtoaster.set(pgtoaster.set(doc, '{secret,5}', '{\"$pgtoaster\": 1}'), '{$pgtoaster}', '2') WHERE id = 1",
          "CREATE TABLE other (id int PRIMARY KEY, tenant name)",
          "ALTER TABLE other ENABLE ROW LEVEL SECURITY",
          "SELECT pgtoaster.attach('other', 'content')",
          "SELECT pgtoaster.attach('other', 'doc', 'keyed')",
          "SELECT pgtoaster.detach('other', 'content')",
          "SELECT count(*) FROM pgtoaster.gc_blobs(1, '0')",
          "SELECT pgtoaster.mirror_privileges('item')");
      assertThat(
              Sql.strings(
                  c,
                  "SELECT pgtoaster.get_text(doc, '{secret,5,$pgtoaster}') || pgtoaster.get_text(doc, '{$pgtoaster}') FROM item WHERE id = 1"))
          .containsExactly("12");
    }
    assertThat(db.documents(victim).verify(1)).isEmpty();
    assertThat(db.documents(victim).at(1, "secret.5").get())
        .asString()
        .contains("{\"$pgtoaster\":1}");
  }
}
