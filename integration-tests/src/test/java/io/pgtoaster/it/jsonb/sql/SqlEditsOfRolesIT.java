package io.pgtoaster.it.jsonb.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.column.ColumnName;
import io.pgtoaster.it.kit.Documents;
import io.pgtoaster.it.kit.RoleDatabase;
import io.pgtoaster.it.kit.Setting;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Edits as values respect the privileges and policies of the table, like any UPDATE. */
@ParameterizedClass(name = "{0}")
@MethodSource("io.pgtoaster.it.kit.Setting#newest")
class SqlEditsOfRolesIT {
  private static final String JSON =
      "{\"name\": \"Ada\", \"secret\": [%s 1]}"
          .formatted(("\"" + Documents.words(1, 90) + "\", ").repeat(300));

  @Parameter Setting setting;

  @AutoClose private RoleDatabase db;
  private String owner;
  private String first;
  private String second;

  @BeforeEach
  void tenants() throws SQLException {
    use(RoleDatabase.copy(setting, SqlEditsOfRolesIT.class, this::create));
  }

  private void use(RoleDatabase database) {
    db = database;
    owner = db.owner();
    first = db.role("first");
    second = db.role("second");
  }

  private void create(RoleDatabase template) throws SQLException {
    use(template);
    db.as(
        owner,
        "CREATE SCHEMA app",
        "GRANT USAGE ON SCHEMA app TO " + first + ", " + second,
        "CREATE TABLE app.item (id int, part int, tenant name NOT NULL DEFAULT current_user, doc jsonb, PRIMARY KEY (id, part))"
            + " PARTITION BY LIST (part)",
        "CREATE TABLE app.one PARTITION OF app.item FOR VALUES IN (1)",
        "CREATE TABLE app.two (doc jsonb, tenant name NOT NULL, part int NOT NULL, id int NOT NULL)",
        "ALTER TABLE app.item ATTACH PARTITION app.two FOR VALUES IN (2)",
        "ALTER TABLE app.item ENABLE ROW LEVEL SECURITY",
        "CREATE POLICY see ON app.item FOR SELECT USING (true)",
        "CREATE POLICY add ON app.item FOR INSERT WITH CHECK (tenant = current_user)",
        "CREATE POLICY change ON app.item FOR UPDATE USING (tenant = current_user) WITH CHECK (doc->>'name' <> 'Eve')",
        "GRANT SELECT, INSERT, UPDATE ON app.item TO " + first,
        "GRANT SELECT (id, part, tenant, doc), UPDATE (doc) ON app.item TO " + second,
        "SELECT pgtoaster.attach('app.item', 'doc', 'keyed', '{\"store_schema\": \"owner\", \"row_budget\": 512}')");
    for (int part = 1; part <= 2; part++) {
      db.as(owner, "INSERT INTO app.item VALUES (%1$d, %1$d, '%2$s')".formatted(part, first));
      db.pgToaster(first)
          .documents(ColumnName.of("app", "item", "doc"))
          .putJson(List.of(part, part), JSON);
    }
  }

  @Test
  void role_editsItsRows_inEveryPartition_andMovesThem() throws SQLException {
    db.as(
        first,
        "UPDATE app.item SET doc = pgtoaster.insert(pgtoaster.remove(doc, '{secret,7}'), '{secret,-1}', '2', true)",
        "UPDATE app.item SET doc = pgtoaster.set(doc, '{big}', to_jsonb(repeat('word ', 2000)))",
        "UPDATE app.item SET doc = pgtoaster.append(doc, '{secret}', '3'), part = 2 WHERE id = 1");
    assertThat(
            db.rows(
                first,
                "SELECT concat(part, jsonb_array_length(pgtoaster.get(doc, '{secret}')),"
                    + " pgtoaster.get(doc, '{secret,-1}'), length(pgtoaster.get_text(doc, '{big}'))) FROM app.item ORDER BY id"))
        .containsExactly("2302310000", "2301210000");
    for (int id = 1; id <= 2; id++) {
      assertThat(
              db.pgToaster(owner)
                  .documents(ColumnName.of("app", "item", "doc"))
                  .verify(List.of(id, 2)))
          .isEmpty();
    }
  }

  @Test
  void otherRolesRows_areNotEdited_andChecksOfPoliciesApply() throws SQLException {
    db.as(second, "UPDATE app.item SET doc = pgtoaster.set(doc, '{secret,0}', '0')");
    db.assertRefused(
        "42501",
        first,
        "UPDATE app.item SET doc = pgtoaster.set(pgtoaster.set(doc, '{secret,0}', '0'), '{name}', '\"Eve\"')");
    assertThat(
            db.rows(
                second,
                "SELECT DISTINCT pgtoaster.get_text(doc, '{secret,0}') <> '0' FROM app.item"))
        .containsExactly("t");
  }

  @Test
  void roleThatMayUpdateOnlyTheColumn_canEdit() throws SQLException {
    db.as(
        owner,
        "ALTER TABLE app.item DISABLE ROW LEVEL SECURITY",
        "SELECT pgtoaster.mirror_privileges('app.item')");
    db.as(second, "UPDATE app.item SET doc = pgtoaster.increment(doc, '{secret,-1}', 5)");
    assertThat(db.rows(second, "SELECT DISTINCT pgtoaster.get(doc, '{secret,-1}') FROM app.item"))
        .containsExactly("6");
  }

  @Test
  void view_appliesThePrivilegesAndPoliciesOfTheTable() throws SQLException {
    String third = db.role("third");
    db.as(
        owner, "SELECT pgtoaster.create_view('app.item')", "GRANT USAGE ON SCHEMA app TO " + third);
    String edit = "UPDATE app.item_view SET doc = jsonb_set(doc, '{secret,0}', '0')";
    db.as(second, edit);
    assertThat(db.rows(owner, "SELECT count(*) FROM app.item_view WHERE doc->'secret'->>0 = '0'"))
        .containsExactly("0");
    db.as(first, edit, "UPDATE app.item_view SET part = 2 WHERE part = 1");
    assertThat(db.rows(second, "SELECT part FROM app.item_view WHERE doc->'secret'->>0 = '0'"))
        .containsExactly("2", "2");
    db.assertRefused("42501", first, "UPDATE app.item_view SET doc = doc || '{\"name\": \"Eve\"}'");
    db.assertRefused("42501", first, "DELETE FROM app.item_view");
    db.assertRefused("42501", second, "INSERT INTO app.item_view (id, part) VALUES (3, 1)");
    db.as(first, "INSERT INTO app.item_view (id, part) VALUES (3, 1)");
    assertThat(db.rows(first, "SELECT tenant FROM app.item WHERE id = 3")).containsExactly(first);
    db.assertRefused("42501", third, "SELECT id FROM app.item_view");
    db.as(owner, "GRANT SELECT ON app.item_view TO " + third);
    db.assertRefused("42501", third, "SELECT id FROM app.item_view");
    db.assertRefused("42501", first, "SELECT pgtoaster.create_view('app.item', 'app.mine')");
  }

  @Test
  void statusHasNoWarning_andDetachRemovesEverything() throws SQLException {
    assertThat(db.rows(owner, "SELECT warnings FROM pgtoaster.status()")).containsExactly("{}");
    db.as(
        owner,
        "ALTER TABLE app.item DISABLE ROW LEVEL SECURITY",
        "SELECT pgtoaster.detach('app.item', 'doc')");
    assertThat(
            db.rows(
                owner,
                "SELECT tgname::text FROM pg_trigger WHERE tgrelid IN ('app.item'::regclass, 'app.one'::regclass)"
                    + " UNION ALL SELECT proname FROM pg_proc WHERE pronamespace = 'app'::regnamespace"))
        .isEmpty();
    assertThat(db.rows(owner, "SELECT DISTINCT jsonb_array_length(doc->'secret') FROM app.item"))
        .containsExactly("301");
  }
}
