package io.pgtoaster.it.security;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.it.kit.Sql;
import io.pgtoaster.jsonb.DocumentColumn;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Functions and triggers of a table's owner write JSON that a tenant passes to them. */
@Tag("ci")
@ParameterizedClass(name = "{0}")
@MethodSource("io.pgtoaster.it.kit.Setting#newest")
class RowSecurityOwnerFunctionsIT extends TenantsSuite {
  private static final String KEYS =
      "id int, tenant name DEFAULT current_user, doc jsonb, PRIMARY KEY (id, tenant)";

  private String stub(String table) throws SQLException {
    return Sql.literal(db.database().string("SELECT doc FROM " + table + " WHERE id = 1"));
  }

  /** Creates a table with a partition for each tenant, and the victim's content in row 1. */
  private void partitioned() throws SQLException {
    table("part", KEYS, " PARTITION BY LIST (tenant)");
    for (String tenant : List.of(victim, thief)) {
      db.as(
          owner, "CREATE TABLE part_%s PARTITION OF part FOR VALUES IN ('%1$s')".formatted(tenant));
    }
    db.as(owner, "CREATE TABLE part_rest PARTITION OF part DEFAULT");
    db.as(victim, "INSERT INTO part (id) VALUES (1)");
    db.as(thief, "INSERT INTO part (id, doc) VALUES (2, '{}')");
    db.pgToaster(victim)
        .blobs("part", "content")
        .append(List.of(1, victim), "PIN 4711".getBytes(US_ASCII));
    db.pgToaster(victim).documents("part", "doc").putJson(List.of(1, victim), JSON);
  }

  private void function(String role, String declared, String statement) throws SQLException {
    db.as(
        role,
        "CREATE FUNCTION %s LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$ %s $$"
            .formatted(declared, statement));
  }

  /** Asserts that a call in a transaction fails before anything can read its writes. */
  private void assertRefusedAtOnce(String message, String role, String... statements)
      throws SQLException {
    try (Connection c = db.database().connect(role)) {
      c.setAutoCommit(false);
      int last = statements.length - 1;
      for (int i = 0; i < last; i++) {
        Sql.run(c, statements[i]);
      }
      assertThatThrownBy(() -> Sql.run(c, statements[last]))
          .as(statements[last])
          .hasMessageContaining(message);
    }
  }

  @Test
  void insertingFunction_doesNotRevealOtherTenantsHeaders() throws Exception {
    String service = db.role("service");
    db.database().run("ALTER ROLE " + service + " BYPASSRLS");
    db.database().run("GRANT CREATE ON SCHEMA public TO " + service);
    db.as(
        owner,
        "GRANT SELECT, INSERT, UPDATE ON item TO " + service,
        "SELECT pgtoaster.mirror_privileges('item')");
    String insert = "INSERT INTO item (id, tenant, doc) VALUES (i, session_user, d)";
    function(owner, "make(i int, d jsonb) RETURNS void", insert);
    function(service, "serve(i int, d jsonb) RETURNS void", insert);
    for (String call : List.of("make", "serve")) {
      assertRefusedAtOnce(
          "another row contains document",
          thief,
          "SELECT %s(300, %s)".formatted(call, stub("item")));
      assertRefusedAtOnce(
          "another row contains document",
          thief,
          "SELECT set_config('pgtoaster.write', statement_timestamp()::text, true); SELECT %s(300, %s)"
              .formatted(call, stub("item")));
    }
    db.as(thief, "SELECT make(300, '{\"a\": 1}')");
    assertThat(db.documents(thief).at(300, "a").get()).asString().contains("1");
    // The owner can still delete and insert.
    db.as(
        owner,
        "BEGIN",
        "CREATE TEMP TABLE kept AS SELECT * FROM item WHERE id = 1",
        "DELETE FROM item WHERE id = 1",
        "INSERT INTO item SELECT 5, tenant, doc, content FROM kept",
        "COMMIT");
    assertThat(db.documents(victim).at(5, "iban").get()).asString().contains("DE");
    assertThat(db.documents(owner).verify(5)).isEmpty();
    assertThat(db.blobs(owner).verify(5)).isEmpty();
  }

  @Test
  void keyCreatedByTheOwnersTrigger_keepsItsDocument() throws Exception {
    table(
        "page",
        "slug text PRIMARY KEY, tenant name DEFAULT current_user, title text, doc jsonb",
        "");
    db.as(
        owner,
        "CREATE FUNCTION slug() RETURNS trigger LANGUAGE plpgsql AS"
            + " $$ BEGIN NEW.slug := lower(NEW.title); RETURN NEW; END $$",
        "CREATE TRIGGER slug BEFORE INSERT OR UPDATE ON page FOR EACH ROW EXECUTE FUNCTION slug()");
    db.as(victim, "INSERT INTO page (title) VALUES ('Diary')");
    DocumentColumn documents = db.pgToaster(victim).documents("page", "doc");
    documents.putJson("diary", JSON);
    for (String role : List.of(owner, victim)) {
      db.as(role, "UPDATE page SET title = title || 's'");
    }
    assertThat(documents.at("diaryss", "iban").get()).asString().contains("DE");
    assertThat(db.pgToaster(owner).documents("page", "doc").verify("diaryss")).isEmpty();
  }

  @Test
  void functionThatMovesRowsBetweenPartitions_doesNotRevealOtherTenantsContent() throws Exception {
    partitioned();
    function(
        owner,
        "put(t name, d jsonb) RETURNS void",
        "UPDATE part SET tenant = t, doc = d WHERE id = 2");
    for (String tenant : List.of(thief, "archive")) {
      assertRefusedAtOnce(
          "another row contains document",
          thief,
          "SELECT put('%s', %s)".formatted(tenant, stub("part")));
    }
  }

  @Test
  void functionThatAcceptsARowAsJson_doesNotRevealOtherTenantsHandles() throws Exception {
    partitioned();
    function(
        owner,
        "save(r jsonb) RETURNS void",
        "INSERT INTO part (id, tenant, content) SELECT id, session_user, content FROM jsonb_populate_record(NULL::part, r)");
    long blob = number("SELECT content FROM part WHERE id = 1");
    db.assertRefused(
        "42501", thief, "SELECT save('{\"id\": 900, \"content\": %d}')".formatted(blob));
    db.assertRefused("42501", owner, "UPDATE part SET content = %d WHERE id = 2".formatted(blob));
  }

  @Test
  void rowsMovedBetweenPartitionsByTheOwner_keepTheirContent() throws Exception {
    partitioned();
    db.as(
        owner,
        "UPDATE part SET tenant = 'archive' WHERE id = 1",
        "UPDATE part SET id = 10, tenant = '%s' WHERE id = 1".formatted(victim),
        "UPDATE part p SET content = o.content FROM part o WHERE o.id <> p.id",
        "UPDATE part p SET content = o.content FROM part o WHERE o.id <> p.id",
        "UPDATE part SET id = id + 10");
    assertThat(
            db.rows(
                victim,
                "SELECT convert_from(pgtoaster.blob_read(content, 0, 99), 'UTF8') FROM part"))
        .containsExactly("PIN 4711");
    assertThat(db.rows(victim, "SELECT pgtoaster.get_text(doc, '{iban}') FROM part"))
        .containsExactly("DE");
    assertThat(db.rows(owner, "SELECT problem FROM pgtoaster.repair('part', 'doc')")).isEmpty();
  }

  /**
   * This is also tested without row security, where an inserted header was checked only for its
   * first key.
   */
  @Test
  void headerOfAnotherRow_cannotGetANewKey() throws Exception {
    String stub = stub("item");
    db.as(
        owner,
        "ALTER TABLE item DISABLE TRIGGER USER",
        "UPDATE item SET doc = %s WHERE id = 2".formatted(stub),
        "ALTER TABLE item ENABLE TRIGGER USER");
    function(owner, "rename(i int, j int) RETURNS void", "UPDATE item SET id = j WHERE id = i");
    assertRefusedAtOnce("another row contains document", thief, "SELECT rename(2, 3)");
    db.as(
        owner,
        "CREATE TABLE plain (id int PRIMARY KEY, doc jsonb)",
        "INSERT INTO plain VALUES (1), (2)",
        "SELECT pgtoaster.attach('plain', 'doc', 'keyed')");
    DocumentColumn documents = db.pgToaster(owner).documents("plain", "doc");
    documents.putJson(1, JSON);
    documents.putJson(2, JSON.replace("DE", "AT"));
    assertRefusedAtOnce(
        "another row contains document",
        owner,
        "INSERT INTO plain SELECT 5, doc FROM plain WHERE id = 1",
        "UPDATE plain SET id = 6 WHERE id = 5");
    db.as(
        owner,
        "BEGIN",
        "INSERT INTO plain SELECT 5, doc FROM plain WHERE id = 1",
        "DELETE FROM plain WHERE id = 1",
        "COMMIT",
        "UPDATE plain SET id = id + 10");
    assertThat(documents.at(15, "iban").get()).asString().contains("DE");
    assertThat(documents.at(12, "iban").get()).asString().contains("AT");
    assertThat(documents.verify(15)).isEmpty();
  }

  @Test
  void ownersTriggerThatWritesTheColumn_doesNotRevealOtherTenantsContent() throws Exception {
    partitioned();
    for (String table : List.of("item", "part")) {
      db.as(
          owner,
          "ALTER TABLE " + table + " ADD patch jsonb",
          """
          CREATE FUNCTION %s_patch() RETURNS trigger LANGUAGE plpgsql AS $$
          BEGIN
            IF NEW.patch IS NOT NULL THEN
              NEW := jsonb_populate_record(NEW, NEW.patch);
              NEW.patch := NULL;
            END IF;
            RETURN NEW;
          END $$
          """
              .formatted(table),
          "CREATE TRIGGER write BEFORE INSERT OR UPDATE ON %s FOR EACH ROW EXECUTE FUNCTION %1$s_patch()"
              .formatted(table));
    }
    function(owner, "patch(p jsonb) RETURNS void", "UPDATE item SET patch = p WHERE id = 2");
    String patch = "jsonb_build_object('doc', CAST(%s AS jsonb))".formatted(stub("item"));
    db.assertRefused("42501", thief, "UPDATE item SET patch = " + patch);
    assertRefusedAtOnce("another row contains document", thief, "SELECT patch(" + patch + ")");
    for (String table : List.of("item", "part")) {
      long blob = number("SELECT content FROM " + table + " WHERE id = 1");
      db.assertRefused(
          "42501", thief, "UPDATE %s SET patch = '{\"content\": %d}'".formatted(table, blob));
      assertThat(db.rows(thief, "SELECT content FROM " + table)).containsOnlyNulls();
      // The thief cannot use the handle before the error occurs, either.
      for (String statement : List.of("UPDATE %s SET patch = ", "INSERT INTO %s (patch) SELECT ")) {
        assertRefusedAtOnce(
            "must not be assigned",
            thief,
            """
            CREATE FUNCTION pg_temp.look() RETURNS int LANGUAGE plpgsql AS $$
            BEGIN RAISE EXCEPTION 'it reads %%', pgtoaster.blob_read(%d, 0, 100); END $$
            """
                .formatted(blob),
            statement.formatted(table)
                + "'{\"id\": 7, \"tenant\": \"%s\", \"content\": %d}' RETURNING pg_temp.look()"
                    .formatted(thief, blob));
      }
    }
    db.as(thief, "UPDATE item SET patch = '{\"doc\": {\"a\": 1}}'");
    assertThat(db.documents(thief).at(2, "a").get()).asString().contains("1");
  }

  @Test
  void errors_revealNothingAboutOtherTenantsDocuments() throws Exception {
    long document = number("SELECT id FROM pgtoaster.store_2_head");
    long node = number("SELECT id FROM pgtoaster.store_2_node LIMIT 1");
    function(
        owner,
        "make(i int, d jsonb) RETURNS void",
        "INSERT INTO item (id, tenant, doc) VALUES (i, session_user, d)");
    for (long n : new long[] {node, node + 1}) {
      assertRefusedAtOnce(
          "another row contains document " + document,
          thief,
          "SELECT make(300, '{\"$pgtoaster\": [%d], \"s\": {\"$pgtoaster\": %d}}')"
              .formatted(document, n));
    }
    assertThat(db.rows(thief, "SELECT pgtoaster.store_2_alone(1, " + document + ")"))
        .containsExactly("f");
    assertThat(db.rows(victim, "SELECT pgtoaster.store_2_alone(1, " + document + ")"))
        .containsExactly("t");
  }
}
