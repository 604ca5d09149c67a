package io.pgtoaster.it.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.Catalog;
import io.pgtoaster.ColumnStatus;
import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.column.ColumnName;
import io.pgtoaster.error.CatalogException;
import io.pgtoaster.internal.column.ColumnLookup;
import io.pgtoaster.it.kit.Bytes;
import io.pgtoaster.it.kit.Database;
import io.pgtoaster.it.kit.Documents;
import io.pgtoaster.it.kit.Expect;
import io.pgtoaster.it.kit.PostgresServers;
import io.pgtoaster.it.kit.Server;
import io.pgtoaster.it.kit.Setting;
import io.pgtoaster.it.kit.Sql;
import io.pgtoaster.jsonb.DocumentColumn;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Upgrades a catalog with an owner who is not a superuser and with stores of other roles. */
@ParameterizedClass(name = "{0}")
@MethodSource("io.pgtoaster.it.kit.Setting#newestByBoth")
class UpgradeByRolesIT {
  private static final List<Object> KEY = List.of(1);
  private static final byte[] CONTENT = Bytes.random(1, 50_000);

  @Parameter Setting setting;

  private Database database;
  private String installer;
  private String owner;
  private String member;
  private PgToaster toaster;

  @BeforeEach
  void makeAndFill() throws SQLException {
    database = PostgresServers.shared(setting.version()).database();
    installer = database.name() + "_installer";
    owner = database.name() + "_owner";
    member = database.name() + "_member";
    database.run(
        "CREATE ROLE " + installer + " LOGIN",
        "CREATE ROLE " + owner + " LOGIN",
        "CREATE ROLE " + member + " LOGIN",
        "GRANT " + member + " TO " + installer,
        "GRANT CREATE ON DATABASE " + database.name() + " TO " + installer,
        "CREATE SCHEMA app AUTHORIZATION " + owner,
        "CREATE SCHEMA granted AUTHORIZATION " + member);
    try (Connection c = database.connect(installer)) {
      c.setAutoCommit(false);
      Sql.run(
          c,
          Server.olderCatalog(),
          "GRANT INSERT ON pgtoaster.catalog_change TO " + owner + ", " + member);
      c.commit();
    }
    String keyed = ", 'doc', 'keyed', '{%s\"row_budget\": 256, \"leaf_size\": 512}')";
    String inOwners = keyed.formatted("\"store_schema\": \"owner\", ");
    as(
        owner,
        "CREATE TABLE app.own (id bigint PRIMARY KEY, content bigint, doc jsonb)",
        "CREATE TABLE app.shared (id bigint PRIMARY KEY, doc jsonb)",
        "SELECT pgtoaster.attach('app.own', 'content', 'appendable', '{\"store_schema\": \"owner\"}')",
        "SELECT pgtoaster.attach('app.own'" + inOwners);
    as(
        member,
        "CREATE TABLE granted.item (id bigint PRIMARY KEY, doc jsonb)",
        "SELECT pgtoaster.attach('granted.item'" + inOwners);
    // Only a superuser may create another role's stores in the catalog's schema.
    database.run("SELECT pgtoaster.attach('app.shared'" + keyed.formatted(""));
    for (String table : List.of("app.own", "app.shared", "granted.item")) {
      database.run("INSERT INTO " + table + " (id) VALUES (1)");
    }
    // This library fills the stores.
    database.run("UPDATE pgtoaster.version SET version = " + ColumnLookup.CATALOG_VERSION);
    setting.prepare(database);
    toaster = PgToaster.create(database.dataSource());
    toaster.withoutExtension().blobs(ColumnName.of("app", "own", "content")).append(KEY, CONTENT);
    for (ColumnName name : documents()) {
      toaster.documents(name).putJson(KEY, UpgradeIT.DOCUMENT);
    }
    database.run("UPDATE pgtoaster.version SET version = " + Server.OLDER_VERSION);
  }

  @AfterEach
  void drop() throws SQLException {
    String roles = String.join(", ", installer, owner, member);
    database.run("DROP OWNED BY " + roles + " CASCADE", "DROP ROLE " + roles);
    database.close();
  }

  private static List<ColumnName> documents() {
    return List.of(
        ColumnName.of("app", "own", "doc"),
        ColumnName.of("app", "shared", "doc"),
        ColumnName.of("granted", "item", "doc"));
  }

  private void as(String role, String... statements) throws SQLException {
    try (Connection c = database.connect(role)) {
      Sql.run(c, statements);
    }
  }

  /** Returns the tables for which status has warnings. */
  private List<String> outdated() {
    return toaster.catalog().status().stream()
        .filter(s -> !s.warnings().isEmpty())
        .map(ColumnStatus::warnings)
        .map(w -> String.join("; ", w).replaceAll(".*mirror_privileges\\('(.*)'\\)$", "$1"))
        .toList();
  }

  private void assertContent() {
    assertThat(toaster.blobs(ColumnName.of("app", "own", "content")).read(KEY, 0, CONTENT.length))
        .isEqualTo(CONTENT);
    for (ColumnName name : documents()) {
      DocumentColumn documents = toaster.documents(name);
      assertThat(documents.text(KEY).map(Documents::canonical))
          .hasValue(
              Documents.canonical(
                  database.string(
                      "SELECT CAST(" + Sql.literal(UpgradeIT.DOCUMENT) + " AS jsonb)")));
      assertThat(documents.verify(KEY)).isEmpty();
    }
  }

  @Test
  void install_leavesOtherRolesStores_toTheirOwners() throws SQLException {
    PgToaster.create(database.dataSource(installer)).catalog().install();
    assertThat(outdated()).containsExactly("app.own", "app.own", "app.shared");
    assertContent();
    if (!setting.extension()) {
      assertThat(
              Expect.refused(
                  CatalogException.class,
                  () -> toaster.documents(documents().get(0)).at(KEY, "map.k7").text()))
          .hasMessageContaining("mirror_privileges");
    }

    BlobColumn blobs = toaster.blobs(ColumnName.of("app", "own", "content"));
    assertThat(Expect.refused(CatalogException.class, () -> blobs.discardBefore(KEY, 9000)))
        .hasMessageContaining("mirror_privileges");
    assertThat(blobs.verify(KEY)).isEmpty();
    assertThat(database.number("SELECT pgtoaster.blob_length(content) FROM app.own"))
        .isEqualTo(CONTENT.length);

    as(owner, "SELECT pgtoaster.mirror_privileges('app.own')");
    assertThat(outdated()).containsExactly("app.shared");
    assertThatThrownBy(() -> as(owner, "SELECT pgtoaster.mirror_privileges('app.shared')"))
        .hasMessageContaining("may not replace the outdated routines of the store of app.shared")
        .hasMessageContaining(
            "A superuser must run SELECT pgtoaster.mirror_privileges('app.shared')");
    database.run("SELECT pgtoaster.mirror_privileges('app.shared')");
    assertThat(outdated()).isEmpty();
    assertContent();

    assertThat(
            database.strings(
                "SELECT p.oid::regprocedure FROM pg_proc p"
                    + " JOIN pg_class h ON h.relnamespace = p.pronamespace"
                    + " AND h.relname = substring(p.proname from '^store_[0-9]+_') || 'head'"
                    + " WHERE p.proowner <> h.relowner"))
        .as("routines that do not belong to the owner of their store")
        .isEmpty();
    for (ColumnName name : documents()) {
      toaster.documents(name).at(KEY, "map.k7").set("changed");
      assertThat(toaster.documents(name).verify(KEY)).isEmpty();
    }
    assertThat(blobs.discardBefore(KEY, 9000)).isEqualTo(9000);
    assertThat(blobs.verify(KEY)).isEmpty();
    as(owner, "DELETE FROM app.own", "DELETE FROM app.shared");
    as(member, "DELETE FROM granted.item");
    assertThat(toaster.catalog().status()).extracting(ColumnStatus::contents).containsOnly(0L);
    Catalog catalog = PgToaster.create(database.dataSource(owner)).catalog();
    catalog.detach(documents().get(0));
    catalog.detach(documents().get(1));
    PgToaster.create(database.dataSource(member)).catalog().detach(documents().get(2));
  }
}
