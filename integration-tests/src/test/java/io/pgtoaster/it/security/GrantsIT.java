package io.pgtoaster.it.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.error.AccessDeniedException;
import io.pgtoaster.it.kit.Bytes;
import io.pgtoaster.it.kit.Database;
import io.pgtoaster.it.kit.Expect;
import io.pgtoaster.it.kit.RoleDatabase;
import io.pgtoaster.it.kit.Setting;
import io.pgtoaster.jsonb.DocumentColumn;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.postgresql.util.PSQLException;

/** Grants that change after a column was attached. No role here is a superuser. */
@ParameterizedClass(name = "{0}")
@MethodSource("io.pgtoaster.it.kit.Setting#newestByBoth")
class GrantsIT {
  private static final byte[] CONTENT = Bytes.random(1, 20_000);
  private static final String JSON =
      "{\"a\": [%s]}".formatted("\"abcdefghij\", ".repeat(500) + "1");
  private static final String REMEDY = "SELECT pgtoaster.mirror_privileges('public.item')";

  @Parameter Setting setting;

  @AutoClose private RoleDatabase db;
  private Database database;
  private String owner;
  private String role;

  @BeforeEach
  void attach() throws SQLException {
    use(RoleDatabase.copy(setting, GrantsIT.class, this::create));
  }

  private void use(RoleDatabase roles) {
    db = roles;
    database = db.database();
    owner = db.owner();
    role = db.role("role");
  }

  private void create(RoleDatabase template) throws SQLException {
    use(template);
    db.as(
        owner,
        "CREATE TABLE item (id int PRIMARY KEY, content bigint, doc jsonb)",
        "INSERT INTO item VALUES (1), (2)",
        "SELECT pgtoaster.attach('item', 'content')",
        "SELECT pgtoaster.attach('item', 'doc', 'keyed')");
    db.blobs(owner).append(1, CONTENT);
    db.documents(owner).putJson(1, JSON);
  }

  private void assertDenied(String sql) {
    db.assertRefused("42501", role, sql);
  }

  private void assertDeniedWithRemedy(String sql) {
    assertThatThrownBy(() -> db.as(role, sql))
        .as(sql)
        .isInstanceOfSatisfying(
            PSQLException.class,
            e -> {
              assertThat(e.getSQLState()).isEqualTo("42501");
              assertThat(e.getServerErrorMessage().getHint()).contains(REMEDY);
            });
  }

  @Test
  void grantAfterAttach_works_onceTheFunctionInTheMessageWasCalled() throws SQLException {
    db.as(owner, "GRANT SELECT, UPDATE ON item TO " + role);
    assertThat(Expect.refused(AccessDeniedException.class, () -> db.blobs(role).read(1, 0, 10)))
        .hasMessageContaining(REMEDY);
    assertThat(Expect.refused(AccessDeniedException.class, () -> db.blobs(role).append(1, CONTENT)))
        .hasMessageContaining(REMEDY);
    assertThat(Expect.refused(AccessDeniedException.class, () -> db.documents(role).text(1)))
        .hasMessageContaining(REMEDY);
    assertDeniedWithRemedy("SELECT pgtoaster.blob_read(content, 0, 5) FROM item WHERE id = 1");
    assertDeniedWithRemedy("SELECT pgtoaster.expand(doc) FROM item WHERE id = 1");
    if (setting.extension()) {
      assertDeniedWithRemedy("SELECT toaster.blob_read('item', 'content', 1, 0, 5)");
      assertDeniedWithRemedy("SELECT toaster.json_get('item', 'doc', 1, '{a,5}')");
    }
    db.as(owner, REMEDY);
    db.blobs(role).append(1, CONTENT);
    assertThat(db.blobs(role).length(1)).isEqualTo(2L * CONTENT.length);
    assertThat(db.documents(role).at(1, "/a").size()).hasValue(501);
    db.as(owner, "SELECT pgtoaster.mirror_privileges(CAST('item' AS regclass))");
    db.as(owner, "SELECT pgtoaster.mirror_privileges(1)");
  }

  @Test
  void updateWithoutSelect_doesNotAllowReading() throws SQLException {
    db.as(owner, "GRANT UPDATE ON item TO " + role, REMEDY);
    for (String part : List.of("1_head", "1_chunk", "1_piece", "1_token", "2_head", "2_node")) {
      assertDenied("SELECT * FROM pgtoaster.store_" + part);
      assertDenied("DELETE FROM pgtoaster.store_" + part + " RETURNING *");
    }
    assertDenied("UPDATE pgtoaster.store_1_head SET sealed = false RETURNING tail");
    assertDenied(
        "SELECT pgtoaster.blob_read("
            + database.string("SELECT content FROM item WHERE id = 1")
            + ", 0, 9)");
    Expect.refused(AccessDeniedException.class, () -> db.blobs(role).read(1, 0, 10));
    db.as(owner, "GRANT SELECT ON item TO PUBLIC", REMEDY);
    db.blobs(role).append(1, CONTENT);
    assertThat(db.blobs(role).verify(1)).isEmpty();
    db.as(owner, "REVOKE ALL ON item FROM PUBLIC");
  }

  @Test
  void revokedUpdateAndSelect_areRefusedImmediately() throws SQLException {
    db.as(owner, "GRANT SELECT, INSERT, UPDATE, DELETE ON item TO " + role, REMEDY);
    BlobColumn blobs = db.blobs(role);
    DocumentColumn documents = db.documents(role);
    byte[] few = Bytes.random(3, 3);
    blobs.append(1, few);
    documents.at(1, "/a/7").set("x");
    db.as(owner, "REVOKE UPDATE ON item FROM " + role);
    for (byte[] bytes : List.of(few, Bytes.random(4, 3000), CONTENT)) {
      Expect.refused(AccessDeniedException.class, () -> blobs.append(1, bytes));
      Expect.refused(AccessDeniedException.class, () -> blobs.append(2, bytes));
    }
    Expect.refused(AccessDeniedException.class, () -> blobs.write(1, 0, few));
    Expect.refused(AccessDeniedException.class, () -> blobs.truncate(1, 0));
    Expect.refused(AccessDeniedException.class, () -> blobs.seal(1));
    Expect.refused(AccessDeniedException.class, () -> blobs.compact(1));
    Expect.refused(AccessDeniedException.class, () -> documents.at(1, "/a/7").set("y"));
    Expect.refused(AccessDeniedException.class, () -> documents.at(1, "/a").append("y"));
    Expect.refused(AccessDeniedException.class, () -> documents.at(1, "/a/0").remove());
    Expect.refused(AccessDeniedException.class, () -> documents.putJson(1, JSON));
    if (setting.extension()) {
      assertDenied("SELECT toaster.blob_append('item', 'content', 1, 'x')");
      assertDenied("SELECT toaster.json_set('item', 'doc', 1, '{a,7}', '1')");
    }
    assertThat(blobs.length(1)).isEqualTo(20_003);
    assertThat(documents.at(1, "/a/7").text()).hasValue("\"x\"");
    assertThat(PgToaster.create(database.dataSource(owner)).catalog().status())
        .allMatch(s -> s.warnings().stream().anyMatch(w -> w.contains(REMEDY)));
    db.as(owner, "REVOKE SELECT ON item FROM " + role);
    Expect.refused(AccessDeniedException.class, () -> blobs.read(1, 0, 10));
    Expect.refused(AccessDeniedException.class, () -> documents.text(1));
    db.as(owner, REMEDY);
    assertDenied("SELECT * FROM pgtoaster.store_1_chunk");
    assertThat(PgToaster.create(database.dataSource(owner)).catalog().status())
        .allMatch(s -> s.warnings().isEmpty());
  }
}
