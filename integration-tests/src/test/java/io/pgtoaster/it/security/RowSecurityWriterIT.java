package io.pgtoaster.it.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.it.kit.Bytes;
import io.pgtoaster.it.kit.RoleDatabase;
import io.pgtoaster.it.kit.Setting;
import io.pgtoaster.it.kit.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A function or cascade of another role writes other tenants' content in a tenant's transaction.
 * The tenant's transaction does not count as the creator of that content.
 */
@ParameterizedClass(name = "{0}")
@MethodSource("io.pgtoaster.it.kit.Setting#newestByBoth")
class RowSecurityWriterIT {
  private static final String LIST = "[%s]".formatted("\"abcdefghij\", ".repeat(2000) + "1");
  private static final String JSON = "{\"secret\": %s, \"more\": %s}".formatted(LIST, LIST);
  private static final String[] STORED = {
    "SELECT id FROM pgtoaster.store_1_head",
    "SELECT blob_id FROM pgtoaster.store_1_chunk",
    "SELECT id FROM pgtoaster.store_2_head",
    "SELECT id FROM pgtoaster.store_2_node"
  };

  @Parameter Setting setting;

  @AutoClose private RoleDatabase db;
  private String victim;
  private String thief;

  @BeforeEach
  void content() throws SQLException {
    use(RoleDatabase.copy(setting, RowSecurityWriterIT.class, this::create));
  }

  private void use(RoleDatabase database) {
    db = database;
    victim = db.role("victim");
    thief = db.role("thief");
  }

  private void create(RoleDatabase template) throws SQLException {
    use(template);
    String both = victim + ", " + thief;
    db.as(
        db.owner(),
        "CREATE TABLE folder (name text PRIMARY KEY)",
        "INSERT INTO folder VALUES ('a')",
        "CREATE TABLE item (id int, folder text DEFAULT 'a' REFERENCES folder ON UPDATE CASCADE,"
            + " tenant name DEFAULT current_user, doc jsonb, PRIMARY KEY (folder, id))",
        "ALTER TABLE item ENABLE ROW LEVEL SECURITY",
        "CREATE POLICY own ON item USING (tenant = current_user)",
        "GRANT SELECT, INSERT, UPDATE, DELETE ON item TO " + both,
        "GRANT SELECT, UPDATE ON folder TO " + both,
        "SELECT pgtoaster.attach('item', 'content')",
        "SELECT pgtoaster.attach('item', 'doc', 'keyed')");
    db.as(victim, "INSERT INTO item (id) VALUES (1)");
    db.blobs(victim).append(List.of("a", 1), Bytes.random(1, 40_000));
    db.documents(victim).putJson(List.of("a", 1), JSON);
  }

  private void assertUnread(Connection c, String write) throws SQLException {
    c.setAutoCommit(false);
    Sql.run(c, write);
    for (String query : STORED) {
      assertThat(Sql.strings(c, query)).as(query).isEmpty();
    }
  }

  private void assertHidden(String write) throws SQLException {
    try (Connection c = db.database().connect(thief)) {
      assertUnread(c, write);
      for (String change :
          new String[] {
            "UPDATE pgtoaster.store_1_head SET base = 0",
            "UPDATE pgtoaster.store_2_node SET value = '1', kids = NULL",
            "DELETE FROM pgtoaster.store_2_head"
          }) {
        try (var s = c.createStatement()) {
          assertThat(s.executeUpdate(change)).as(change).isZero();
        }
      }
      c.rollback();
    }
  }

  @Test
  void contentWrittenByTheOwnersFunction_isNotTheCallers() throws SQLException {
    String[] bodies = {
      "UPDATE pgtoaster.store_1_head SET generation = generation + 1",
      "UPDATE item SET doc = pgtoaster.remove(doc, '{secret}')",
      "UPDATE item SET id = 11"
    };
    for (String body : bodies) {
      db.as(
          db.owner(),
          "CREATE OR REPLACE FUNCTION act() RETURNS void LANGUAGE sql SECURITY DEFINER AS '%s'"
              .formatted(body.replace("'", "''")));
      assertHidden("SELECT act()");
    }
    if (setting.extension()) {
      db.as(
          db.owner(),
          "CREATE OR REPLACE FUNCTION act() RETURNS void LANGUAGE sql SECURITY DEFINER AS"
              + " 'SELECT toaster.blob_append(''item'', ''content'', ROW(''a'', 1), ''hello'')'");
      assertHidden("SELECT act()");
    }
  }

  @Test
  void keyChangedByACascade_makesNothingTheTenantsOwn() throws SQLException {
    assertHidden("UPDATE folder SET name = 'b'");
  }

  /**
   * A role that may update rows without seeing them can change their keys. It could also change who
   * created a head.
   */
  @Test
  void policyForUpdate_widerThanTheOneForSelect_makesNothingReadable() throws SQLException {
    db.as(
        db.owner(),
        "DROP POLICY own ON item",
        "CREATE POLICY sees ON item FOR SELECT USING (tenant = current_user)",
        "CREATE POLICY changes ON item FOR UPDATE USING (true) WITH CHECK (true)");
    try (Connection c = db.database().connect(thief)) {
      assertUnread(c, "UPDATE item SET id = 7");
      c.rollback();
    }
    for (int store : new int[] {1, 2}) {
      for (String column : new String[] {"id = 1", "created_by = '1'", "created_as = 1"}) {
        db.assertRefused(
            "42501", thief, "UPDATE pgtoaster.store_%d_head SET %s".formatted(store, column));
      }
    }
  }

  /** A head that claims to be from another transaction is rejected. */
  @Test
  void headCreatedByTheTransaction_isItsOwn_beforeARowReferencesIt() throws SQLException {
    String made = "INSERT INTO pgtoaster.store_1_head (chunk_size%s) VALUES (8100%s) RETURNING id";
    try (Connection c = db.database().connect(thief)) {
      c.setAutoCommit(false);
      assertThat(Sql.strings(c, made.formatted("", ""))).hasSize(1);
      assertThat(Sql.strings(c, STORED[0])).hasSize(1);
      c.rollback();
    }
    db.assertRefused("42501", thief, made.formatted(", created_by", ", '999999999'"));
  }
}
