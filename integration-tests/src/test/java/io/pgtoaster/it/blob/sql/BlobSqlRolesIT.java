package io.pgtoaster.it.blob.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.it.kit.RoleDatabase;
import io.pgtoaster.it.kit.Setting;
import io.pgtoaster.it.kit.UnusualSettings;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** SQL functions allow only what the table's grants and row security allow. */
@ParameterizedClass(name = "{0}")
@MethodSource("io.pgtoaster.it.kit.Setting#newest")
class BlobSqlRolesIT {
  private static final List<String> CHANGES =
      List.of("append(%s, 'x')", "write(%s, 0, 'x')", "truncate(%s, 0)", "seal(%s)");

  @Parameter Setting setting;

  @AutoClose private RoleDatabase db;
  private String owner;
  private String writer;
  private String reader;
  private String nobody;

  @BeforeEach
  void open() throws SQLException {
    use(RoleDatabase.copy(setting, BlobSqlRolesIT.class, this::create));
  }

  private void use(RoleDatabase database) {
    db = database;
    owner = db.owner();
    writer = db.role("writer");
    reader = db.role("reader");
    nobody = db.role("nobody");
  }

  private void create(RoleDatabase template) throws SQLException {
    use(template);
    db.as(
        owner,
        "CREATE TABLE item (id int PRIMARY KEY, tenant name NOT NULL DEFAULT current_user,"
            + " shared boolean NOT NULL DEFAULT false, content bigint, other text)",
        "SELECT pgtoaster.attach('item', 'content')",
        "INSERT INTO item (id) VALUES (1)",
        "SELECT pgtoaster.blob_append('item', 'content', 1, 'secret')",
        "GRANT SELECT ON item TO " + reader,
        "GRANT SELECT, UPDATE (content), INSERT ON item TO " + writer);
    db.as(owner, "SELECT pgtoaster.mirror_privileges('item')");
  }

  private static String call(String change, int id) {
    return "SELECT pgtoaster.blob_" + change.formatted("'item', 'content', " + id);
  }

  @Test
  void grantsOnTheTable_apply() throws SQLException {
    assertThat(db.rows(reader, "SELECT pgtoaster.blob_length('item', 'content', 1)"))
        .containsExactly("6");
    for (String change : CHANGES) {
      db.assertRefused("42501", reader, call(change, 1));
      db.assertRefused("42501", nobody, call(change, 1));
    }
    db.assertRefused("42501", nobody, "SELECT pgtoaster.blob_read('item', 'content', 1, 0, 9)");
    db.assertRefused("42501", nobody, "SELECT pgtoaster.blob_length('item', 'content', 1)");
    for (String change : CHANGES) {
      db.as(writer, call(change, 1));
    }
    db.as(owner, "REVOKE UPDATE (content) ON item FROM " + writer);
    db.assertRefused("42501", writer, call("append(%s, 'x')", 1));
  }

  @Test
  void rowSecurity_hidesRowsAndPreventsChanges() throws SQLException {
    db.as(
        owner,
        "ALTER TABLE item ENABLE ROW LEVEL SECURITY",
        "CREATE POLICY see ON item FOR SELECT USING (tenant = current_user OR shared)",
        "CREATE POLICY change ON item FOR UPDATE USING (tenant = current_user)",
        "CREATE POLICY add ON item FOR INSERT WITH CHECK (tenant = current_user)");
    assertThatThrownBy(() -> db.as(writer, call("append(%s, 'x')", 1)))
        .hasMessageContaining("SELECT pgtoaster.mirror_privileges('public.item')")
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("42501"));
    db.as(owner, "SELECT pgtoaster.mirror_privileges('item')");
    db.as(writer, "INSERT INTO item (id) VALUES (2), (4)");
    db.as(
        owner,
        "INSERT INTO item (id, shared) VALUES (3, true), (5, true)",
        "SELECT pgtoaster.blob_append('item', 'content', 3, 'shared')");
    for (String change : CHANGES) {
      db.assertRefused("P0002", writer, call(change, 1));
      assertThatThrownBy(() -> db.as(writer, call(change, 3)))
          .as(change)
          .hasMessageContaining("row security lets the role read public.item.content(3)");
      if (!change.startsWith("append")) {
        db.as(writer, call("append(%s, 'abc')", 2));
      }
      db.as(writer, call(change, 2));
      if (change.startsWith("append")) {
        db.assertRefused("42501", writer, call(change, 5));
      }
    }
    assertThat(
            db.rows(
                writer,
                "SELECT convert_from(pgtoaster.blob_read('item', 'content', id, 0, 9), 'UTF8') FROM"
                    + " item ORDER BY id"))
        .containsExactly("abc", "shared", null, null);
  }

  @Test
  void settingsOfTheCaller_haveNoEffect() throws SQLException {
    db.as(
        owner,
        "CREATE SCHEMA trap",
        "CREATE FUNCTION trap.octet_length(bytea) RETURNS int LANGUAGE sql AS 'SELECT 0'",
        "CREATE FUNCTION trap.substr(bytea, int, int) RETURNS bytea LANGUAGE sql AS 'SELECT"
            + " NULL::bytea'",
        "GRANT USAGE ON SCHEMA trap TO PUBLIC");
    db.as(
        writer,
        "SET search_path = trap, public",
        "SET standard_conforming_strings = " + UnusualSettings.conformingStrings(db.database()),
        "SET backslash_quote = on",
        "SET bytea_output = escape",
        "SET default_transaction_isolation = 'repeatable read'",
        call("append(%s, 'more')", 1),
        call("write(%s, 1, 'E')", 1));
    assertThat(
            db.rows(
                reader,
                "SELECT convert_from(pgtoaster.blob_read('item', 'content', 1, 0, 99), 'UTF8')"))
        .containsExactly("sEcretmore");
  }
}
