package io.pgtoaster.it.hibernate.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.BlobOptions;
import io.pgtoaster.hibernate.blob.AppendableBlob;
import io.pgtoaster.it.hibernate.kit.Orm;
import io.pgtoaster.it.kit.Database;
import io.pgtoaster.it.kit.PostgresServers;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Checks the effect of hibernate.hbm2ddl.auto on a database. */
class SchemaToolIT {
  private static final String STORES =
      "SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
          + " WHERE n.nspname = 'pgtoaster' AND c.relkind = 'r' AND c.relname ~ '^store_[0-9]'";

  private final Database database = PostgresServers.shared(PostgresServers.newest()).database();

  private Orm orm(String auto) {
    return Orm.on(database).entities(Letter.class).set("hibernate.hbm2ddl.auto", auto).build();
  }

  private List<String> attached() {
    return database.strings(
        "SELECT concat_ws(' ', format('%s.%s.%s', schema_name, table_name, column_name), toaster,"
            + " options->'keep_inline') FROM pgtoaster.attached_column ORDER BY 1");
  }

  private void splitContent() {
    PgToaster.create(database.dataSource())
        .documents("letter", "body")
        .at(1, "text")
        .set("y".repeat(9000));
    assertThat(database.number("SELECT count(*) FROM letter WHERE body ? '$pgtoaster'"))
        .isPositive();
  }

  @Test
  void create_onAnEmptyDatabase_installsTheCatalogAndAttaches() throws Exception {
    try (Orm orm = orm("create")) {
      assertThat(attached())
          .containsExactly(
              "public.letter.body keyed [\"/subject\"]", "public.letter.scan appendable");
      orm.inTransaction(s -> s.persist(new Letter(1, "first")));
      splitContent();
    }
    List<String> stores = database.strings(STORES);
    try (Orm orm = orm("create")) {
      assertThat(orm.database().number("SELECT count(*) FROM letter")).isZero();
      assertThat(attached())
          .containsExactly(
              "public.letter.body keyed [\"/subject\"]", "public.letter.scan appendable");
      assertThat(database.strings(STORES)).hasSameSizeAs(stores);
    }
  }

  @Test
  void createDrop_leavesNoStore() throws Exception {
    try (Orm orm = orm("create-drop")) {
      orm.inTransaction(s -> s.persist(new Letter(1, "first")));
      splitContent();
    }
    assertThat(database.strings("SELECT to_regclass('letter')::text")).containsOnlyNulls();
    assertThat(attached()).isEmpty();
    assertThat(database.strings(STORES)).isEmpty();
  }

  @Test
  void update_again_keepsContent() throws Exception {
    try (Orm orm = orm("update")) {
      orm.inTransaction(s -> s.persist(new Letter(1, "first")));
      splitContent();
    }
    try (Orm orm = orm("update")) {
      assertThat(attached()).hasSize(2);
      assertThat(
              PgToaster.create(orm.dataSource())
                  .documents("letter", "body")
                  .at(1, "text")
                  .get()
                  .orElseThrow()
                  .asString())
          .hasSize(9000);
    }
  }

  @Test
  void update_again_writesNothingOfTheCatalog() throws Exception {
    orm("update").close();
    String written =
        "SELECT CAST(max(CAST(CAST(xmin AS text) AS bigint)) AS text) FROM pg_proc WHERE pronamespace = CAST('pgtoaster' AS regnamespace) AND proname !~ '^store_'";
    String before = database.string(written);
    orm("update").close();
    assertThat(database.string(written)).isEqualTo(before);
    database.run("DROP FUNCTION pgtoaster.blob_length(bigint)");
    orm("update").close();
    assertThat(database.string(written)).isNotEqualTo(before);
  }

  private void replace(String table) {
    database.run(
        "CREATE TABLE fresh AS SELECT * FROM " + table,
        "DROP TABLE " + table,
        "ALTER TABLE fresh RENAME TO " + table,
        "ALTER TABLE " + table + " ADD PRIMARY KEY (id)");
  }

  @Test
  void update_afterATableWasReplaced_keepsItsContent() throws Exception {
    try (Orm orm = orm("update")) {
      Letter letter = new Letter(1, "first");
      letter.scan = AppendableBlob.of(new byte[3000]);
      orm.inTransaction(s -> s.persist(letter));
      splitContent();
    }
    List<String> stores = database.strings(STORES);
    replace("letter");
    orm("update").close();
    assertThat(database.strings(STORES)).containsAll(stores);
  }

  /** Creates the store of another application, which has replaced the table. */
  private List<String> othersStore() {
    PgToaster toaster = PgToaster.create(database.dataSource());
    toaster.catalog().install();
    database.run("CREATE TABLE rec (id int PRIMARY KEY)", "INSERT INTO rec VALUES (1)");
    toaster.catalog().attach("rec", "audio", BlobOptions.defaults());
    toaster.blobs("rec", "audio").append(1, new byte[3000]);
    replace("rec");
    return database.strings(STORES);
  }

  @Test
  void update_onItsOwnTables_keepsOtherApplicationsContent() throws Exception {
    List<String> stores = othersStore();
    orm("update").close();
    orm("update").close();
    assertThat(database.strings(STORES)).containsAll(stores);
  }

  @Test
  void createDrop_keepsOtherApplicationsContent() throws Exception {
    List<String> stores = othersStore();
    orm("create-drop").close();
    assertThat(database.strings(STORES)).containsExactlyInAnyOrderElementsOf(stores);
  }

  @Test
  void update_ofAnExistingTable_attachesItsColumn() throws Exception {
    database.run(
        "CREATE TABLE letter (id bigint PRIMARY KEY, body jsonb)",
        "INSERT INTO letter (id, body) VALUES (7, '{\"subject\": \"old\"}')");
    try (Orm orm = orm("update")) {
      assertThat(attached()).hasSize(2);
      Object subject =
          orm.fromTransaction(s -> s.find(Letter.class, 7L).body.get("subject", String.class));
      assertThat(subject).isEqualTo(Optional.of("old"));
      orm.inTransaction(s -> s.find(Letter.class, 7L).scan = AppendableBlob.of(new byte[] {1, 2}));
    }
  }

  @Test
  void validate_acceptsAttachedColumns_andNoneDoesNothing() throws Exception {
    orm("update").close();
    orm("validate").close();
    try (Orm orm = orm("none")) {
      assertThat(attached()).hasSize(2);
      orm.inTransaction(s -> s.persist(new Letter(1, "first")));
    }
  }

  @Test
  void validate_refusesAnotherType() {
    database.run("CREATE TABLE letter (id bigint PRIMARY KEY, body text)");
    assertThatThrownBy(() -> orm("validate")).hasMessageContaining("[body]");
  }

  @Test
  void formattedSql_isStillExecuted() throws Exception {
    try (Orm orm =
        Orm.on(database)
            .entities(Letter.class)
            .set("hibernate.hbm2ddl.auto", "create")
            .set("hibernate.format_sql", true)
            .set("hibernate.hbm2ddl.halt_on_error", true)
            .build()) {
      assertThat(attached()).hasSize(2);
      assertThat(orm.database().number("SELECT version FROM pgtoaster.version")).isPositive();
    }
  }
}
