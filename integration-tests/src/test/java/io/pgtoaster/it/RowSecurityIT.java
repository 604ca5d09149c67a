package io.pgtoaster.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.GcOptions;
import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.AppendOptions;
import io.pgtoaster.blob.AppendToken;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.column.ColumnLookup;
import io.pgtoaster.error.AccessDeniedException;
import io.pgtoaster.error.PgToasterException;
import io.pgtoaster.error.RowNotFoundException;
import io.pgtoaster.it.kit.Bytes;
import io.pgtoaster.it.kit.Database;
import io.pgtoaster.it.kit.Expect;
import io.pgtoaster.it.kit.PostgresServers;
import io.pgtoaster.it.kit.Setting;
import io.pgtoaster.it.kit.Sql;
import io.pgtoaster.jsonb.DocumentColumn;
import io.pgtoaster.jsonb.DocumentPath;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Two tenants in one table with row security: what one of them stores, the other neither reads nor
 * changes, whichever way is tried. A row of the first that is shared may be read by both.
 */
@ParameterizedClass(name = "{0}")
@MethodSource("io.pgtoaster.it.kit.Setting#newestByBoth")
class RowSecurityIT {
  private static final byte[] CONTENT = Bytes.random(1, 40_123);
  private static final byte[] FEW = Bytes.random(2, 7);
  private static final String JSON =
      "{\"name\": \"Ada\", \"secret\": [%s]}".formatted("\"abcdefghij\", ".repeat(2000) + "1");

  @Parameter Setting setting;

  private Database database;
  private String owner;
  private String first;
  private String second;

  @BeforeEach
  void tenants() throws SQLException {
    database = PostgresServers.shared(setting.version()).database();
    owner = database.name() + "_owner";
    first = database.name() + "_first";
    second = database.name() + "_second";
    for (String role : List.of(owner, first, second)) {
      database.run("CREATE ROLE " + role + " LOGIN");
    }
    database.run(
        "GRANT CREATE ON DATABASE " + database.name() + " TO " + owner,
        "GRANT CREATE ON SCHEMA public TO " + owner);
    if (setting.extension()) {
      database.run("CREATE EXTENSION pgtoaster");
    }
    PgToaster.create(database.dataSource(owner)).catalog().install();
    as(
        owner,
        "CREATE TABLE item (id int PRIMARY KEY, tenant name NOT NULL DEFAULT current_user,"
            + " shared boolean NOT NULL DEFAULT false, content bigint, doc jsonb)",
        "ALTER TABLE item ENABLE ROW LEVEL SECURITY",
        "CREATE POLICY see ON item FOR SELECT USING (tenant = current_user OR shared)",
        "CREATE POLICY change ON item FOR UPDATE USING (tenant = current_user)",
        "CREATE POLICY remove ON item FOR DELETE USING (tenant = current_user)",
        "CREATE POLICY add ON item FOR INSERT WITH CHECK (tenant = current_user)",
        "GRANT SELECT, INSERT, UPDATE, DELETE ON item TO " + first + ", " + second,
        "SELECT pgtoaster.attach('item', 'content')",
        "SELECT pgtoaster.attach('item', 'doc', 'keyed')");
    as(first, "INSERT INTO item (id, shared) VALUES (1, false), (3, true)");
    as(second, "INSERT INTO item (id) VALUES (2), (4)");
    for (int id : new int[] {1, 3}) {
      blobs(first).append(id, CONTENT);
      documents(first).put(id, JSON);
    }
  }

  @AfterEach
  void drop() throws SQLException {
    for (String role : List.of(owner, first, second)) {
      database.run("DROP OWNED BY " + role + " CASCADE", "DROP ROLE " + role);
    }
    database.close();
  }

  private void as(String role, String... statements) throws SQLException {
    try (Connection c = database.connect(role)) {
      Sql.run(c, statements);
    }
  }

  private List<String> rows(String role, String sql) throws SQLException {
    try (Connection c = database.connect(role)) {
      return Sql.strings(c, sql);
    }
  }

  private PgToaster door(String role) {
    PgToaster door = PgToaster.create(database.dataSource(role));
    return setting.extension() ? door : door.withoutExtension();
  }

  private BlobColumn blobs(String role) {
    return door(role).blobs("item", "content");
  }

  private DocumentColumn documents(String role) {
    return door(role).documents("item", "doc");
  }

  private void assertRefused(String state, String role, String... statements) {
    assertThatThrownBy(() -> as(role, statements))
        .as(String.join("; ", statements))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo(state));
  }

  private long handle(int id) {
    return database.number("SELECT content FROM item WHERE id = " + id);
  }

  private void assertUntouched() throws Exception {
    for (int id : new int[] {1, 3}) {
      assertThat(blobs(first).read(id, 0, 50_000)).isEqualTo(CONTENT);
      assertThat(documents(first).size(id, "/secret")).hasValue(2001);
      assertThat(blobs(first).verify(id)).isEmpty();
      assertThat(documents(first).verify(id)).isEmpty();
    }
  }

  @Test
  void extension_servesAStoreThatFollowsItsTable() throws SQLException {
    try (Connection c = database.connect(first)) {
      for (String column : List.of("content", "doc")) {
        assertThat(ColumnLookup.find(c, null, "item", column).extension())
            .isEqualTo(setting.extension());
      }
    }
    assertThat(door(owner).catalog().status()).allMatch(s -> s.warnings().isEmpty());
  }

  @Test
  void tenant_doesEverythingWithItsOwnRows() throws Exception {
    BlobColumn blobs = blobs(second);
    for (int size : new int[] {1, 100, 3000, 8100, 20_000, 3}) {
      blobs.append(2, Bytes.random(size, size));
    }
    blobs.append(
        2, FEW, AppendOptions.defaults().token(new AppendToken(AppendToken.newWriter(), 1)));
    blobs.write(2, 5, FEW);
    assertThat(blobs.read(2, 5, 7)).isEqualTo(FEW);
    blobs.truncate(2, 9000);
    blobs.copy(2, 4);
    blobs.delete(2);
    blobs.copy(3, 2);
    blobs.replace(4, CONTENT);
    blobs.compact(2);
    blobs.seal(2);
    assertThat(blobs.read(2, 0, 50_000)).isEqualTo(CONTENT);
    assertThat(blobs.verify(2)).isEmpty();
    blobs.delete(2);

    DocumentColumn documents = documents(second);
    documents.put(2, JSON);
    documents.set(2, "/secret/7", "new");
    documents.insert(2, "/secret/0", "first");
    documents.append(2, "/secret", "last");
    documents.remove(2, "/secret/1");
    documents.set(2, "/name", "b".repeat(3000));
    documents.set(2, "/count", 1);
    documents.increment(2, "/count", 2);
    documents.merge(2, "{\"more\": {\"a\": [1, 2]}, \"name\": null}");
    assertThat(documents.size(2, "/secret")).hasValue(2002);
    documents.put(2, JSON.replace("abc", "xyz"));
    documents.compact(2);
    assertThat(documents.verify(2)).isEmpty();
    documents.put(2, "{}");
    documents.put(2, JSON);
    as(second, "UPDATE item SET id = 12 WHERE id = 2");
    assertThat(documents.text(12).orElseThrow()).contains("abcdefghij");
    documents.clear(12);
    as(second, "DELETE FROM item");
    assertThat(database.number("SELECT count(*) FROM pgtoaster.store_1_head")).isEqualTo(2);
    assertThat(database.number("SELECT count(*) FROM pgtoaster.store_2_head")).isEqualTo(2);
    assertThat(database.number("SELECT count(*) FROM pgtoaster.store_1_garbage")).isZero();
    assertUntouched();
  }

  @Test
  void apiUser_doesNotReachRowsThatAPolicyHides() throws Exception {
    BlobColumn blobs = blobs(second);
    DocumentColumn documents = documents(second);
    Expect.refused(RowNotFoundException.class, () -> blobs.read(1, 0, 10));
    Expect.refused(RowNotFoundException.class, () -> blobs.length(1));
    Expect.refused(RowNotFoundException.class, () -> blobs.open(1).close());
    Expect.refused(RowNotFoundException.class, () -> blobs.append(1, FEW));
    Expect.refused(RowNotFoundException.class, () -> blobs.append(1, CONTENT));
    Expect.refused(RowNotFoundException.class, () -> blobs.copy(1, 2));
    Expect.refused(RowNotFoundException.class, () -> blobs.delete(1));
    Expect.refused(RowNotFoundException.class, () -> documents.text(1));
    Expect.refused(RowNotFoundException.class, () -> documents.get(1, "/secret/5"));
    Expect.refused(RowNotFoundException.class, () -> documents.set(1, "/secret/5", "x"));
    Expect.refused(RowNotFoundException.class, () -> documents.put(1, JSON));
    assertThat(documents.getAll(List.of(1, 2), DocumentPath.parse("/secret/5"))).isEmpty();
    assertUntouched();
  }

  @Test
  void apiUser_readsWhatItMayRead_andChangesNothingOfIt() throws Exception {
    BlobColumn blobs = blobs(second);
    DocumentColumn documents = documents(second);
    assertThat(blobs.read(3, 0, 50_000)).isEqualTo(CONTENT);
    try (var in = blobs.inputStream(3)) {
      assertThat(in.readAllBytes()).isEqualTo(CONTENT);
    }
    assertThat(documents.text(3)).hasValueSatisfying(t -> assertThat(t).contains("abcdefghij"));
    assertThat(documents.get(3, "/secret/2000"))
        .hasValueSatisfying(v -> assertThat(v.intValue()).isEqualTo(1));
    Expect.refused(AccessDeniedException.class, () -> blobs.append(3, FEW));
    Expect.refused(AccessDeniedException.class, () -> blobs.append(3, Bytes.random(1, 3000)));
    Expect.refused(AccessDeniedException.class, () -> blobs.append(3, CONTENT));
    Expect.refused(
        AccessDeniedException.class,
        () ->
            blobs.append(
                3,
                FEW,
                AppendOptions.defaults().token(new AppendToken(AppendToken.newWriter(), 1))));
    Expect.refused(AccessDeniedException.class, () -> blobs.write(3, 0, FEW));
    Expect.refused(AccessDeniedException.class, () -> blobs.truncate(3, 0));
    Expect.refused(AccessDeniedException.class, () -> blobs.replace(3, FEW));
    Expect.refused(AccessDeniedException.class, () -> blobs.compact(3));
    Expect.refused(AccessDeniedException.class, () -> blobs.seal(3));
    Expect.refused(AccessDeniedException.class, () -> blobs.delete(3));
    Expect.refused(AccessDeniedException.class, () -> documents.set(3, "/secret/5", "x"));
    Expect.refused(AccessDeniedException.class, () -> documents.set(3, "/name", "x"));
    Expect.refused(AccessDeniedException.class, () -> documents.insert(3, "/secret/0", "x"));
    Expect.refused(AccessDeniedException.class, () -> documents.append(3, "/secret", "x"));
    Expect.refused(AccessDeniedException.class, () -> documents.remove(3, "/secret/0"));
    Expect.refused(AccessDeniedException.class, () -> documents.put(3, JSON));
    Expect.refused(AccessDeniedException.class, () -> documents.compact(3));
    Expect.refused(AccessDeniedException.class, () -> documents.clear(3));
    assertUntouched();
  }

  @Test
  void sqlRole_seesInTheStoreWhatItsRowsName() throws Exception {
    blobs(second).append(2, CONTENT);
    documents(second).put(2, JSON);
    List<String> named =
        rows(second, "SELECT content FROM item WHERE content IS NOT NULL ORDER BY 1");
    assertThat(named).hasSize(2);
    assertThat(rows(second, "SELECT DISTINCT id FROM pgtoaster.store_1_head ORDER BY 1"))
        .isEqualTo(named);
    assertThat(rows(second, "SELECT DISTINCT blob_id FROM pgtoaster.store_1_chunk ORDER BY 1"))
        .isEqualTo(named);
    List<String> split =
        rows(second, "SELECT doc->'$pgtoaster'->>0 FROM item WHERE doc IS NOT NULL ORDER BY 1");
    assertThat(split).hasSize(2);
    assertThat(rows(second, "SELECT DISTINCT id::text FROM pgtoaster.store_2_head ORDER BY 1"))
        .isEqualTo(split);
    assertThat(rows(second, "SELECT DISTINCT doc::text FROM pgtoaster.store_2_node ORDER BY 1"))
        .isEqualTo(split);
    for (String garbage : List.of("store_1_garbage", "store_2_garbage")) {
      assertRefused("42501", second, "SELECT * FROM pgtoaster." + garbage);
    }
  }

  @Test
  void sqlFunctions_refuseHandlesOfOthers() throws Exception {
    long blob = handle(1);
    String stub = Sql.literal(database.string("SELECT doc FROM item WHERE id = 1"));
    assertRefused("XX001", second, "SELECT pgtoaster.blob_length(" + blob + ")");
    assertRefused("XX001", second, "SELECT pgtoaster.blob_read(" + blob + ", 1, 10)");
    assertRefused("XX001", second, "SELECT pgtoaster.expand(" + stub + ")");
    assertRefused("XX001", second, "SELECT pgtoaster.get(" + stub + ", '{secret,5}')");
    assertRefused("XX001", second, "SELECT pgtoaster.contains(" + stub + ", '{\"secret\": [1]}')");
    assertRefused("42501", second, "SELECT pgtoaster.release(1, " + blob + ")");
    assertThat(rows(second, "SELECT pgtoaster.blob_length(content) FROM item WHERE id = 3"))
        .containsExactly(Integer.toString(CONTENT.length));
    assertThat(rows(second, "SELECT pgtoaster.get(doc, '{secret,2000}') FROM item WHERE id = 3"))
        .containsExactly("1");
    if (setting.extension()) {
      assertRefused("P0002", second, "SELECT toaster.blob_read('item', 'content', 1, 0, 10)");
      assertRefused("P0002", second, "SELECT toaster.json_get('item', 'doc', 1, '{secret,5}')");
      assertRefused("42501", second, "SELECT toaster.blob_append('item', 'content', 3, 'x')");
      assertRefused("42501", second, "SELECT toaster.blob_truncate('item', 'content', 3, 0)");
      assertRefused("42501", second, "SELECT toaster.blob_delete('item', 'content', 3)");
      assertRefused("42501", second, "SELECT toaster.json_set('item', 'doc', 3, '{name}', '1')");
      assertRefused("42501", second, "SELECT toaster.json_remove('item', 'doc', 3, '{secret,5}')");
      assertRefused(
          "42501", second, "SELECT toaster.json_merge('item', 'doc', 3, '{}', '{\"a\": 1}')");
      assertRefused("42501", second, "SELECT toaster.json_shrink('item', 'doc', 3)");
    }
    assertUntouched();
  }

  /** By direct SQL on the store: content of others that may be read, and that may not. */
  @Test
  void sqlRole_changesNothingOfOthersInTheStore() throws Exception {
    blobs(second).append(2, CONTENT);
    documents(second).put(2, JSON);
    List<String> before = everything();
    long own = handle(2);
    long ownDocument = database.number("SELECT doc->'$pgtoaster'->>0 FROM item WHERE id = 2");
    for (int id : new int[] {1, 3}) {
      long blob = handle(id);
      long document = database.number("SELECT doc->'$pgtoaster'->>0 FROM item WHERE id = " + id);
      as(
          second,
          "UPDATE pgtoaster.store_1_head SET base = 0 WHERE id = " + blob,
          "UPDATE pgtoaster.store_1_chunk SET data = '' WHERE blob_id = " + blob,
          "DELETE FROM pgtoaster.store_1_chunk WHERE blob_id = " + blob,
          "DELETE FROM pgtoaster.store_1_head WHERE id = " + blob,
          "UPDATE pgtoaster.store_2_node SET value = '1' WHERE doc = " + document,
          "DELETE FROM pgtoaster.store_2_node WHERE doc = " + document,
          "UPDATE pgtoaster.store_2_head SET owner_1 = 2 WHERE id = " + document,
          "DELETE FROM pgtoaster.store_2_head WHERE id = " + document);
      assertRefused(
          "42501",
          second,
          "INSERT INTO pgtoaster.store_1_chunk VALUES (" + blob + ", 81000, 1, '')");
      assertRefused(
          "42501",
          second,
          "INSERT INTO pgtoaster.store_1_piece VALUES (" + blob + ", 9, 9, 1, '')");
      assertRefused(
          "42501",
          second,
          "UPDATE pgtoaster.store_1_chunk SET blob_id = "
              + blob
              + ", start = -start - 1 WHERE blob_id = "
              + own);
      assertRefused(
          "42501",
          second,
          "UPDATE pgtoaster.store_2_node SET doc = " + document + " WHERE doc = " + ownDocument);
      assertRefused(
          "42501",
          second,
          "INSERT INTO pgtoaster.store_2_node (doc, id, kind, bytes) VALUES ("
              + document
              + ", 9, 'a', 9)");
      assertRefused(
          "42501", second, "INSERT INTO pgtoaster.store_2_head (owner_1) VALUES (" + id + ")");
    }
    // Everything there is that is not its own.
    as(
        second,
        "BEGIN",
        "DELETE FROM pgtoaster.store_1_chunk WHERE blob_id <> " + own,
        "UPDATE pgtoaster.store_1_piece SET start = 0 WHERE blob_id <> " + own,
        "COMMIT");
    assertThat(everything()).isEqualTo(before);
    assertUntouched();
  }

  private List<String> everything() {
    List<String> all = new ArrayList<>();
    for (String part : List.of("1_head", "1_chunk", "1_piece", "2_head", "2_node")) {
      all.addAll(database.strings("SELECT t::text FROM pgtoaster.store_" + part + " t ORDER BY 1"));
    }
    return all;
  }

  @Test
  void contentWithoutARow_isOfTheTransactionThatCreatedItAlone() throws Exception {
    String create = "INSERT INTO pgtoaster.store_1_head (chunk_size) VALUES (8100) RETURNING id";
    long committed;
    try (Connection c = database.connect(first)) {
      committed = Sql.number(c, create);
      assertThat(Sql.number(c, "SELECT count(*) FROM pgtoaster.store_1_head")).isEqualTo(2);
      c.setAutoCommit(false);
      long id = Sql.number(c, create);
      assertThat(Sql.number(c, "SELECT count(*) FROM pgtoaster.store_1_head WHERE id = " + id))
          .isEqualTo(1);
      try (Connection other = database.connect(second)) {
        assertThat(Sql.strings(other, "SELECT id FROM pgtoaster.store_1_head WHERE id = " + id))
            .isEmpty();
      }
      Sql.run(
          c,
          "SAVEPOINT s",
          "INSERT INTO item (id, content) VALUES (21, " + id + ")",
          "RELEASE s",
          "INSERT INTO pgtoaster.store_1_chunk VALUES (" + id + ", 0, NULL, 'x')");
      c.commit();
    }
    assertRefused("42501", second, "INSERT INTO item (id, content) VALUES (22, " + committed + ")");
    assertRefused("42501", second, "UPDATE item SET content = " + committed + " WHERE id = 2");
    assertRefused("23505", second, "UPDATE item SET content = " + handle(1) + " WHERE id = 2");
    // A row that is put back in its transaction keeps its content.
    as(
        first,
        "BEGIN",
        "CREATE TEMP TABLE kept AS SELECT id, content, doc FROM item WHERE id = 1",
        "DELETE FROM item WHERE id = 1",
        "INSERT INTO item (id, content, doc) SELECT * FROM kept",
        "COMMIT");
    assertUntouched();
    blobs(first).delete(21);
    door(owner).catalog().gc(new GcOptions(false, Duration.ZERO, Duration.ofDays(7)));
    assertThat(database.number("SELECT count(*) FROM pgtoaster.store_1_head")).isEqualTo(2);
    assertThat(database.number("SELECT count(*) FROM pgtoaster.store_1_garbage")).isZero();
  }

  @Test
  void headsThatAreCreatedBeforeTheirRows_areNamedByThem() throws SQLException {
    try (Connection c = database.connect(second)) {
      c.setAutoCommit(false);
      BlobColumn blobs = blobs(second).on(c);
      long[] handles = blobs.create(2);
      Sql.run(
          c,
          "INSERT INTO item (id, content) VALUES (31, %d), (32, %d)"
              .formatted(handles[0], handles[1]));
      blobs.append(31, CONTENT);
      blobs.append(32, FEW);
      c.commit();
    }
    assertThat(blobs(second).read(31, 0, 50_000)).isEqualTo(CONTENT);
    assertThat(blobs(second).read(32, 0, 50_000)).isEqualTo(FEW);
  }

  /** Nothing but the trigger keeps a row of a partitioned table from naming another's content. */
  @Test
  void handleForgedIntoARowOfAPartitionedTable_givesNothing() throws Exception {
    as(
        owner,
        "CREATE TABLE part (id int, tenant name DEFAULT current_user, content bigint, PRIMARY KEY"
            + " (tenant, id)) PARTITION BY LIST (tenant)",
        "CREATE TABLE part_first PARTITION OF part FOR VALUES IN ('" + first + "')",
        "CREATE TABLE part_second PARTITION OF part FOR VALUES IN ('" + second + "')",
        "CREATE TABLE part_both PARTITION OF part DEFAULT",
        "ALTER TABLE part ENABLE ROW LEVEL SECURITY",
        "CREATE POLICY own ON part USING (tenant = current_user OR tenant = 'both')",
        "GRANT SELECT, INSERT, UPDATE, DELETE ON part TO " + first + ", " + second,
        "SELECT pgtoaster.attach('part', 'content')");
    as(first, "INSERT INTO part VALUES (1)");
    BlobColumn blobs = door(first).blobs("part", "content");
    blobs.append(List.of(first, 1), CONTENT);
    long handle = database.number("SELECT content FROM part");
    as(second, "INSERT INTO part VALUES (2)");
    assertRefused("42501", second, "UPDATE part SET content = " + handle);
    assertRefused("42501", second, "INSERT INTO part (id, content) VALUES (3, " + handle + ")");
    assertRefused("42501", first, "INSERT INTO part (id, content) VALUES (3, " + handle + ")");
    assertRefused("XX001", second, "SELECT pgtoaster.blob_read(" + handle + ", 1, 10)");
    assertThat(rows(second, "SELECT blob_id FROM pgtoaster.store_3_chunk")).isEmpty();
    // A row that moves takes its content along.
    as(first, "UPDATE part SET tenant = 'both' WHERE id = 1");
    assertThat(door(second).blobs("part", "content").read(List.of("both", 1), 0, 50_000))
        .isEqualTo(CONTENT);
    as(second, "UPDATE part SET tenant = '" + second + "' WHERE id = 1");
    assertThat(rows(first, "SELECT blob_id FROM pgtoaster.store_3_chunk")).isEmpty();
    as(second, "DELETE FROM part");
    assertThat(database.number("SELECT count(*) FROM pgtoaster.store_3_head")).isZero();
  }

  @Test
  void leadingKey_isPartOfWhatIsCompared() throws Exception {
    as(
        owner,
        "CREATE TABLE led (id int PRIMARY KEY, tenant name NOT NULL DEFAULT current_user, content"
            + " bigint)",
        "ALTER TABLE led ENABLE ROW LEVEL SECURITY",
        "CREATE POLICY own ON led USING (tenant = current_user)",
        "GRANT SELECT, INSERT, UPDATE, DELETE ON led TO " + first + ", " + second,
        "SELECT pgtoaster.attach('led', 'content', options => '{\"leading_key\": \"tenant\"}')");
    as(first, "INSERT INTO led VALUES (1)");
    door(first).blobs("led", "content").append(1, CONTENT);
    assertThat(door(first).blobs("led", "content").read(1, 0, 50_000)).isEqualTo(CONTENT);
    assertThat(rows(second, "SELECT blob_id FROM pgtoaster.store_3_chunk")).isEmpty();
    as(first, "DELETE FROM led");
    assertThat(database.number("SELECT count(*) FROM pgtoaster.store_3_head")).isZero();
  }

  /** Names that are not what one would choose, and a store beside its table. */
  @Test
  void policies_areMadeWhateverTheNames() throws Exception {
    String schema = Sql.identifier("50% o'f \"it\"");
    String table = schema + "." + Sql.identifier("store_3_head % o");
    as(
        owner,
        "CREATE SCHEMA " + schema,
        "GRANT USAGE ON SCHEMA " + schema + " TO " + first + ", " + second,
        "CREATE TABLE "
            + table
            + " (id int PRIMARY KEY, tenant name DEFAULT current_user,"
            + " \"con%t\" bigint, \"d'%s\" jsonb)",
        "ALTER TABLE " + table + " ENABLE ROW LEVEL SECURITY",
        "CREATE POLICY own ON " + table + " USING (tenant = current_user)",
        "GRANT SELECT, INSERT, UPDATE, DELETE ON " + table + " TO " + first + ", " + second);
    for (String attach : List.of("'con%t', 'appendable'", "'d''%s', 'keyed'")) {
      as(
          owner,
          "SELECT pgtoaster.attach(%s, %s, '{\"store_schema\": \"owner\"}')"
              .formatted(Sql.literal(table), attach));
    }
    as(first, "INSERT INTO " + table + " VALUES (1)");
    BlobColumn blobs = door(first).blobs("50% o'f \"it\"", "store_3_head % o", "con%t");
    DocumentColumn documents = door(first).documents("50% o'f \"it\"", "store_3_head % o", "d'%s");
    blobs.append(1, CONTENT);
    documents.put(1, JSON);
    assertThat(blobs.read(1, 0, 50_000)).isEqualTo(CONTENT);
    assertThat(documents.set(1, "/secret/7", "x")).isTrue();
    assertThat(
            rows(
                first,
                "SELECT id FROM " + schema + ".store_3_chunk c, LATERAL (SELECT c.blob_id) b(id)"))
        .isNotEmpty();
    for (String part : List.of("3_head", "3_chunk", "4_head", "4_node")) {
      assertThat(rows(second, "SELECT 1 FROM " + schema + ".store_" + part)).isEmpty();
    }
    assertThat(rows(owner, "SELECT unnest(warnings) FROM pgtoaster.status()")).isEmpty();
    as(first, "DELETE FROM " + table);
    assertThat(rows(owner, "SELECT 1 FROM " + schema + ".store_3_head")).isEmpty();
  }

  @Test
  void rowSecurityThatIsEnabledLater_isToldUntilItIsMirrored() throws Exception {
    as(
        owner,
        "CREATE TABLE late (id int PRIMARY KEY, tenant name NOT NULL DEFAULT current_user, content"
            + " bigint, doc jsonb)",
        "SELECT pgtoaster.attach('late', 'content')",
        "SELECT pgtoaster.attach('late', 'doc', 'keyed')",
        "GRANT SELECT, INSERT, UPDATE, DELETE ON late TO " + first + ", " + second,
        "SELECT pgtoaster.mirror_privileges('late')",
        "ALTER TABLE late ENABLE ROW LEVEL SECURITY",
        "CREATE POLICY own ON late USING (tenant = current_user)");
    as(first, "INSERT INTO late VALUES (1)");
    String remedy = "SELECT pgtoaster.mirror_privileges('public.late')";
    for (Expectation e :
        Arrays.<Expectation>asList(
            () -> door(first).blobs("late", "content").append(1, CONTENT),
            () -> door(first).documents("late", "doc").put(1, JSON))) {
      assertThat(Expect.refused(AccessDeniedException.class, e::run)).hasMessageContaining(remedy);
    }
    assertThat(
            rows(
                owner, "SELECT unnest(warnings) FROM pgtoaster.status() WHERE table_name = 'late'"))
        .hasSize(2)
        .allMatch(w -> w.contains("row security") && w.contains(remedy));
    door(owner).blobs("late", "content").append(1, CONTENT);
    as(owner, remedy);
    assertThat(rows(second, "SELECT blob_id FROM pgtoaster.store_3_chunk")).isEmpty();
    door(first).blobs("late", "content").append(1, FEW);
    door(first).documents("late", "doc").put(1, JSON);
    assertThat(rows(second, "SELECT doc FROM pgtoaster.store_4_node")).isEmpty();
    // And back: the store stops asking.
    as(owner, "ALTER TABLE late DISABLE ROW LEVEL SECURITY");
    assertThat(
            rows(
                owner, "SELECT unnest(warnings) FROM pgtoaster.status() WHERE table_name = 'late'"))
        .allMatch(w -> w.contains(remedy))
        .hasSize(2);
    as(owner, remedy, "UPDATE late SET tenant = 'nobody'");
    assertThat(rows(second, "SELECT DISTINCT blob_id FROM pgtoaster.store_3_chunk")).hasSize(1);
    assertThat(rows(owner, "SELECT unnest(warnings) FROM pgtoaster.status()")).isEmpty();
    as(
        owner,
        "ALTER TABLE late ENABLE ROW LEVEL SECURITY",
        remedy,
        "SELECT pgtoaster.detach('late', 'content', true)",
        "SELECT pgtoaster.detach('late', 'doc')",
        "DROP TABLE late");
    assertThat(database.number("SELECT count(*) FROM pg_proc WHERE proname LIKE 'store\\_3\\_%'"))
        .isZero();
  }

  /** Something that is to be refused. */
  @FunctionalInterface
  private interface Expectation {
    void run() throws PgToasterException;
  }

  /**
   * Locks of the owner's row, taken by policies, are the weakest there are: nobody waits for them.
   */
  @Test
  void writersOfOneRow_loseNothing() throws Exception {
    int rounds = 25;
    byte[] piece = Bytes.random(7, 900);
    List<Callable<Void>> all = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      all.add(
          () -> {
            BlobColumn blobs = blobs(first);
            for (int round = 0; round < rounds; round++) {
              blobs.append(1, round % 5 == 4 ? CONTENT : round % 2 == 0 ? FEW : piece);
            }
            return null;
          });
    }
    all.add(
        () -> {
          DocumentColumn documents = documents(first);
          for (int round = 0; round < rounds; round++) {
            documents.set(1, "/secret/" + round * 50, round);
            documents.append(1, "/secret", round);
            as(first, "UPDATE item SET shared = NOT shared WHERE id = 1");
          }
          return null;
        });
    ExecutorService threads = Executors.newFixedThreadPool(all.size());
    try {
      for (Future<Void> done : threads.invokeAll(all)) {
        done.get();
      }
    } finally {
      threads.shutdownNow();
    }
    long length =
        3L
            * IntStream.range(0, rounds)
                .map(r -> r % 5 == 4 ? CONTENT.length : r % 2 == 0 ? FEW.length : piece.length)
                .sum();
    assertThat(blobs(first).length(1)).isEqualTo(CONTENT.length + length);
    assertThat(blobs(first).verify(1)).isEmpty();
    assertThat(documents(first).size(1, "/secret")).hasValue(2001 + rounds);
    assertThat(documents(first).verify(1)).isEmpty();
  }

  @Test
  void followers_sayThatTheyFollowWhatTheyMayRead() throws SQLException {
    String follow = "INSERT INTO pgtoaster.store_1_follower (blob_id, expires) VALUES (%d, now())";
    as(second, follow.formatted(handle(3)));
    assertRefused("42501", second, follow.formatted(handle(1)));
  }

  @Test
  void ownerOfTheTable_sweepsAndDetaches() throws Exception {
    as(first, "DELETE FROM item WHERE id = 1");
    assertThat(database.number("SELECT count(*) FROM pgtoaster.store_1_head")).isEqualTo(1);
    door(owner).catalog().gc(new GcOptions(false, Duration.ZERO, Duration.ofDays(7)));
    assertThat(blobs(first).read(3, 0, 50_000)).isEqualTo(CONTENT);
    as(
        owner,
        "SELECT pgtoaster.detach('item', 'doc')",
        "SELECT pgtoaster.detach('item', 'content', true)");
    assertThat(database.number("SELECT count(*) FROM pg_trigger WHERE tgname LIKE 'pgtoaster%'"))
        .isZero();
    assertThat(rows(second, "SELECT doc->>'name' FROM item WHERE id = 3")).containsExactly("Ada");
  }
}
