package io.pgtoaster.it.security;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.column.ColumnName;
import io.pgtoaster.it.kit.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests content without a row, content to which another tenant's row now refers, and settings that
 * disable checks.
 */
@Tag("ci")
@ParameterizedClass(name = "{0}")
@MethodSource("io.pgtoaster.it.kit.Setting#newestByBoth")
class RowSecurityUnreferencedContentIT extends TenantsSuite {
  private long blob;
  private String stub = "";

  private void seen() throws SQLException {
    blob = number("SELECT content FROM item WHERE id = 1");
    stub = Sql.literal(db.database().string("SELECT doc FROM item WHERE id = 1"));
  }

  /** Creates a table whose trigger runs as the thief and takes all content that it can. */
  private void lair(String columns, String... events) throws SQLException {
    seen();
    db.database().run("GRANT CREATE ON DATABASE " + db.database().name() + " TO " + thief);
    db.as(
        thief,
        "CREATE SCHEMA lair",
        "CREATE TABLE lair.tried (error text)",
        "CREATE TABLE lair.own (" + columns + ")",
        "GRANT USAGE ON SCHEMA lair TO PUBLIC",
        "GRANT INSERT, DELETE ON lair.own TO PUBLIC",
        """
        CREATE FUNCTION lair.take() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
        BEGIN
          PERFORM set_config('pgtoaster.giver', current_user, true);
          BEGIN
            INSERT INTO public.item (id, content) VALUES (700, %d);
          EXCEPTION WHEN OTHERS THEN
            INSERT INTO lair.tried VALUES (SQLERRM);
          END;
          BEGIN
            INSERT INTO public.item (id, doc) VALUES (800, %s);
          EXCEPTION WHEN OTHERS THEN
            INSERT INTO lair.tried VALUES (SQLERRM);
          END;
          RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
        END $$
        """
            .formatted(blob, stub));
    for (String event : events) {
      db.as(
          thief,
          "CREATE TRIGGER %s %s ON lair.own FOR EACH ROW EXECUTE FUNCTION lair.take()"
              .formatted(event.replace(' ', '_'), event));
    }
  }

  private void assertNothingTaken() throws SQLException {
    assertThat(db.rows(thief, "SELECT id FROM item")).containsExactly("2");
    assertThat(db.rows(thief, "SELECT ctid FROM pgtoaster.store_2_node")).isEmpty();
    assertThat(db.rows(thief, "SELECT error FROM lair.tried"))
        .isNotEmpty()
        .allMatch(e -> e.contains("must not be assigned"));
  }

  @Test
  void contentReleasedByARole_canBeTakenOnlyByThatRole() throws Exception {
    lair("what text", "AFTER INSERT");
    try (Connection c = db.database().connect(victim)) {
      c.setAutoCommit(false);
      Sql.run(
          c,
          "DELETE FROM item",
          "INSERT INTO lair.own VALUES ('something has gone')",
          "INSERT INTO item (id, content, doc) VALUES (3, %d, %s)".formatted(blob, stub),
          "UPDATE item SET content = NULL, doc = NULL",
          "INSERT INTO lair.own VALUES ('again')",
          "INSERT INTO item (id, content, doc) VALUES (4, %d, %s)".formatted(blob, stub),
          "DELETE FROM item WHERE id = 3");
      c.commit();
    }
    assertNothingTaken();
    assertThat(db.blobs(victim).read(4, 9000, 8)).isEqualTo("PIN 4711".getBytes(US_ASCII));
    assertThat(db.blobs(victim).verify(4)).isEmpty();
    assertThat(db.documents(victim).at(4, "iban").get()).asString().contains("DE");
    assertThat(db.documents(victim).verify(4)).isEmpty();
  }

  /** The cascade's trigger runs after each deleted row, before the next one is deleted. */
  @Test
  void contentReleasedByARole_isNotTakenByACascade() throws Exception {
    db.as(owner, "GRANT REFERENCES ON item TO " + thief);
    db.as(victim, "INSERT INTO item (id) VALUES (-1)");
    lair(
        "id int REFERENCES item ON DELETE CASCADE",
        "BEFORE DELETE",
        "AFTER DELETE",
        "BEFORE INSERT",
        "AFTER INSERT");
    db.as(thief, "DELETE FROM lair.tried", "INSERT INTO lair.own VALUES (1), (-1)");
    db.as(victim, "DELETE FROM item");
    assertNothingTaken();
    assertThat(number("SELECT count(*) FROM pgtoaster.store_1_head")).isZero();
    assertThat(number("SELECT count(*) FROM pgtoaster.store_2_head")).isZero();
  }

  /**
   * Only the function's role can take what it has released. Its caller, or a role in the setting,
   * cannot.
   */
  @Test
  void functionWithATenantsPrivileges_canMoveTheTenantsContent() throws Exception {
    seen();
    String move =
        """
        CREATE FUNCTION move(place int, back boolean) RETURNS void LANGUAGE plpgsql SECURITY DEFINER AS $$
        BEGIN
          DELETE FROM public.item WHERE id = 1;
          IF back THEN
            INSERT INTO public.item (id, content, doc) VALUES (place, %d, %s);
          END IF;
        END $$
        """
            .formatted(blob, stub);
    db.database().run("GRANT CREATE ON SCHEMA public TO " + victim);
    db.as(victim, move);
    for (String insert :
        List.of(
            "INSERT INTO item (id, content) VALUES (700, " + blob + ")",
            "INSERT INTO item (id, doc) VALUES (700, " + stub + ")")) {
      db.assertRefused("42501", thief, "BEGIN", "SELECT move(0, false)", insert);
    }
    db.as(thief, "SELECT move(5, true)");
    assertThat(db.blobs(victim).verify(5)).isEmpty();
    assertThat(db.documents(victim).at(5, "iban").get()).asString().contains("DE");
  }

  /** A function of the owner gives the row to another tenant and then writes more content. */
  @Test
  void contentCreatedByARole_stopsBelongingToIt_onceAnotherRolesRowReferencesIt() throws Exception {
    db.as(
        owner,
        """
        CREATE FUNCTION submit() RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
        BEGIN
          UPDATE item SET tenant = '%s' WHERE id = 300;
          UPDATE pgtoaster.store_1_head h SET tail = 'PIN\\001' FROM item i WHERE i.content = h.id AND i.id = 300;
          UPDATE pgtoaster.store_2_node n SET value = '"PIN"' FROM pgtoaster.store_2_head h WHERE h.id = n.doc AND h.owner_1 = 300;
        END $$
        """
            .formatted(victim));
    try (Connection c = db.database().connect(thief)) {
      c.setAutoCommit(false);
      Sql.run(c, "INSERT INTO item (id) VALUES (300)");
      long head =
          Sql.number(
              c,
              "INSERT INTO pgtoaster.store_1_head (chunk_size, tail) VALUES (8100, 'mine\\001') RETURNING id");
      long document =
          Sql.number(c, "INSERT INTO pgtoaster.store_2_head (owner_1) VALUES (300) RETURNING id");
      String node =
          "INSERT INTO pgtoaster.store_2_node (doc, id, kind, bytes, value) VALUES (%d, %d, 's', 9, '\"mine\"')";
      Sql.run(
          c,
          node.formatted(document, 7),
          "UPDATE item SET content = %d, doc = '{\"$pgtoaster\": [%d], \"a\": {\"$pgtoaster\": 7}}' WHERE id = 300"
              .formatted(head, document),
          node.formatted(document, 8));
      assertThat(Sql.strings(c, "SELECT ctid FROM pgtoaster.store_1_head")).hasSize(1);
      assertThat(Sql.strings(c, "SELECT ctid FROM pgtoaster.store_2_node")).hasSize(2);
      Sql.run(c, "SELECT submit()");
      for (String part : List.of("1_head", "2_head", "2_node")) {
        assertThat(Sql.strings(c, "SELECT ctid FROM pgtoaster.store_" + part)).as(part).isEmpty();
      }
      try (var s = c.createStatement()) {
        assertThat(s.executeUpdate("UPDATE pgtoaster.store_1_head SET sealed = true")).isZero();
        assertThat(s.executeUpdate("DELETE FROM pgtoaster.store_2_node")).isZero();
        assertThat(s.executeUpdate("DELETE FROM pgtoaster.store_2_head")).isZero();
      }
      Sql.run(c, "SAVEPOINT x");
      assertThatThrownBy(() -> Sql.run(c, node.formatted(document, 9)))
          .hasMessageContaining("row-level security");
      Sql.run(c, "ROLLBACK TO x");
      assertThatThrownBy(
              () ->
                  Sql.run(
                      c,
                      "INSERT INTO item (id, doc) VALUES (301, '{\"$pgtoaster\": [%d]}')"
                          .formatted(document)))
          .hasMessageContaining("another row contains document");
      Sql.run(c, "ROLLBACK TO x");
      c.commit();
    }
    assertThat(db.rows(victim, "SELECT pgtoaster.get_text(doc, '{a}') FROM item WHERE id = 300"))
        .containsExactly("PIN");
  }

  /**
   * The caller sets the library's parameters in the same statement, to its time or to a hash of the
   * row.
   */
  @Test
  void ownersFunction_copiesNoHeader_underAnyCallersSettings() throws Exception {
    seen();
    db.as(
        owner,
        """
        CREATE FUNCTION share(i int, j int) RETURNS void LANGUAGE sql SECURITY DEFINER AS
        'UPDATE public.item SET doc = (SELECT doc FROM public.item WHERE id = i) WHERE id = j'
        """);
    for (String set :
        List.of(
            "set_config('pgtoaster.write', statement_timestamp()::text, true)",
            "set_config('pgtoaster.edited_1', concat(jsonb_hash_extended('{}', 0), ' ', jsonb_hash_extended(%s, 0)), true)"
                .formatted(stub))) {
      db.assertRefused("23514", thief, "SELECT " + set + ", share(1, 2)");
    }
    assertThat(db.rows(thief, "SELECT doc FROM item")).containsExactly("{}");
    // The owner can still do this, with the library and with SQL.
    db.documents(owner).putJson(2, JSON.replace("DE", "AT"));
    db.as(
        owner,
        "UPDATE item i SET doc = o.doc FROM item o WHERE o.id = 3 - i.id",
        "UPDATE item SET id = id + 10",
        "UPDATE item SET doc = pgtoaster.set(doc, '{secret,0}', '5')");
    assertThat(db.documents(victim).at(11, "iban").get()).asString().contains("AT");
    assertThat(db.documents(thief).at(12, "iban").get()).asString().contains("DE");
    assertThat(db.documents(owner).verify(11)).isEmpty();
  }

  @Test
  void keysWithTheSameText_areDifferentKeys() throws Exception {
    table("reading", "id float8 PRIMARY KEY, tenant name DEFAULT current_user, doc jsonb", "");
    String stub =
        "(SELECT format('{\"$pgtoaster\": [%s]}', max(id))::jsonb FROM pgtoaster.store_4_head)";
    try (Connection c = db.database().connect(thief)) {
      c.setAutoCommit(false);
      Sql.run(
          c,
          "SET extra_float_digits = -15",
          "INSERT INTO reading (id) VALUES (1.1)",
          "INSERT INTO pgtoaster.store_4_head (owner_1) VALUES (1.1)",
          "UPDATE reading SET doc = " + stub,
          "UPDATE reading SET id = 1.2");
      assertThat(Sql.strings(c, "SELECT id::text FROM reading")).containsExactly("1");
      assertThatThrownBy(
              () -> Sql.run(c, "INSERT INTO reading (id, doc) VALUES (1.1, " + stub + ")"))
          .hasMessageContaining("another row contains document");
    }
  }

  /**
   * At that time, the text of the routine that checks whether the row has the document contains the
   * schema's name.
   */
  @Test
  void schemaWithTheFormerNameOfAnother_revealsNoDocuments() throws Exception {
    db.database()
        .run("GRANT CREATE ON DATABASE %s TO %s, %s".formatted(db.database().name(), owner, thief));
    db.as(
        owner,
        "CREATE SCHEMA media",
        "CREATE TABLE media.item (id int PRIMARY KEY, doc jsonb)",
        "INSERT INTO media.item VALUES (1)",
        "SELECT pgtoaster.attach('media.item', 'doc', 'keyed', '{\"store_schema\": \"owner\"}')");
    db.pgToaster(owner).documents(ColumnName.of("media", "item", "doc")).putJson(1, JSON);
    String copy =
        "SELECT set_config('pgtoaster.write', statement_timestamp()::text, true); INSERT INTO %s.item SELECT 2, doc FROM %1$s.item";
    db.assertRefused("23514", owner, copy.formatted("media"));
    // The function returns information only about documents that its callers have stored
    // themselves.
    assertThat(db.rows(owner, "SELECT media.store_3_placed(1, doc) FROM media.item"))
        .containsExactly("f");
    db.as(owner, "ALTER SCHEMA media RENAME TO old");
    db.as(
        thief,
        "CREATE SCHEMA media",
        "CREATE TABLE media.store_3_head (id bigint, owner_1 int, created_by xid8 DEFAULT pg_current_xact_id())",
        "GRANT ALL ON SCHEMA media TO PUBLIC",
        "GRANT ALL ON media.store_3_head TO PUBLIC");
    db.assertRefused(
        "23514",
        owner,
        "BEGIN",
        "INSERT INTO media.store_3_head SELECT id, 2 FROM old.store_3_head",
        copy.formatted("old"),
        "COMMIT");
    db.as(owner, "INSERT INTO old.item VALUES (3, '{}')");
  }
}
