package io.pgtoaster.it.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.GcOptions;
import io.pgtoaster.blob.AppendOptions;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.column.AppendToken;
import io.pgtoaster.column.ColumnName;
import io.pgtoaster.error.AccessDeniedException;
import io.pgtoaster.error.RowNotFoundException;
import io.pgtoaster.internal.column.ColumnLookup;
import io.pgtoaster.it.kit.Bytes;
import io.pgtoaster.it.kit.Database;
import io.pgtoaster.it.kit.Expect;
import io.pgtoaster.it.kit.RoleDatabase;
import io.pgtoaster.it.kit.Setting;
import io.pgtoaster.it.kit.Sql;
import io.pgtoaster.jsonb.DocumentColumn;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Two tenants share a table with row security. Neither of them can read or change the other's
 * content in any way. Both may read one shared row.
 */
@ParameterizedClass(name = "{0}")
@MethodSource("io.pgtoaster.it.kit.Setting#newestByBoth")
class RowSecurityIT {
  private static final byte[] CONTENT = Bytes.random(1, 40_123);
  private static final byte[] FEW = Bytes.random(2, 7);
  private static final String JSON =
      "{\"name\": \"Ada\", \"secret\": [%s]}".formatted("\"abcdefghij\", ".repeat(2000) + "1");

  @Parameter Setting setting;

  @AutoClose private RoleDatabase db;
  private Database database;
  private String owner;
  private String first;
  private String second;

  @BeforeEach
  void tenants() throws SQLException {
    use(RoleDatabase.copy(setting, RowSecurityIT.class, this::create));
  }

  private void use(RoleDatabase roles) {
    db = roles;
    database = db.database();
    owner = db.owner();
    first = db.role("first");
    second = db.role("second");
  }

  private void create(RoleDatabase template) throws SQLException {
    use(template);
    db.as(
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
    db.as(first, "INSERT INTO item (id, shared) VALUES (1, false), (3, true)");
    db.as(second, "INSERT INTO item (id) VALUES (2), (4)");
    for (int id : new int[] {1, 3}) {
      db.blobs(first).append(id, CONTENT);
      db.documents(first).putJson(id, JSON);
    }
  }

  private long handle(int id) {
    return database.number("SELECT content FROM item WHERE id = " + id);
  }

  private void assertUntouched() throws Exception {
    for (int id : new int[] {1, 3}) {
      assertThat(db.blobs(first).read(id, 0, 50_000)).isEqualTo(CONTENT);
      assertThat(db.documents(first).at(id, "/secret").size()).hasValue(2001);
      assertThat(db.blobs(first).verify(id)).isEmpty();
      assertThat(db.documents(first).verify(id)).isEmpty();
    }
  }

  @Test
  void extension_servesAStoreThatFollowsItsTable() throws SQLException {
    try (Connection c = database.connect(first)) {
      for (String column : List.of("content", "doc")) {
        assertThat(ColumnLookup.find(c, ColumnName.of("item", column)).extension())
            .isEqualTo(setting.extension());
      }
    }
    assertThat(db.pgToaster(owner).catalog().status()).allMatch(s -> s.warnings().isEmpty());
  }

  @Test
  void tenant_canDoEverythingWithItsOwnRows() throws Exception {
    BlobColumn blobs = db.blobs(second);
    for (int size : new int[] {1, 100, 3000, 8100, 20_000, 3}) {
      blobs.append(2, Bytes.random(size, size));
    }
    blobs.append(
        2, FEW, AppendOptions.defaults().withToken(new AppendToken(AppendToken.newWriter(), 1)));
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

    DocumentColumn documents = db.documents(second);
    documents.putJson(2, JSON);
    documents.at(2, "/secret/7").set("new");
    documents.at(2, "/secret/0").insert("first");
    documents.at(2, "/secret").append("last");
    documents.at(2, "/secret/1").remove();
    documents.at(2, "/name").set("b".repeat(3000));
    documents.at(2, "/count").set(1);
    documents.at(2, "/count").increment(2);
    documents.mergeJson(2, "{\"more\": {\"a\": [1, 2]}, \"name\": null}");
    assertThat(documents.at(2, "/secret").size()).hasValue(2002);
    documents.putJson(2, JSON.replace("abc", "xyz"));
    documents.compact(2);
    assertThat(documents.verify(2)).isEmpty();
    documents.putJson(2, "{}");
    documents.putJson(2, JSON);
    db.as(second, "UPDATE item SET id = 12 WHERE id = 2");
    assertThat(documents.text(12).orElseThrow()).contains("abcdefghij");
    documents.clear(12);
    db.as(second, "DELETE FROM item");
    assertThat(database.number("SELECT count(*) FROM pgtoaster.store_1_head")).isEqualTo(2);
    assertThat(database.number("SELECT count(*) FROM pgtoaster.store_2_head")).isEqualTo(2);
    assertThat(database.number("SELECT count(*) FROM pgtoaster.store_1_garbage")).isZero();
    assertUntouched();
  }

  @Test
  void apiUser_cannotReachRowsHiddenByAPolicy() throws Exception {
    BlobColumn blobs = db.blobs(second);
    DocumentColumn documents = db.documents(second);
    Expect.refused(RowNotFoundException.class, () -> blobs.read(1, 0, 10));
    Expect.refused(RowNotFoundException.class, () -> blobs.length(1));
    Expect.refused(RowNotFoundException.class, () -> blobs.open(1).close());
    Expect.refused(RowNotFoundException.class, () -> blobs.append(1, FEW));
    Expect.refused(RowNotFoundException.class, () -> blobs.append(1, CONTENT));
    Expect.refused(RowNotFoundException.class, () -> blobs.copy(1, 2));
    Expect.refused(RowNotFoundException.class, () -> blobs.delete(1));
    Expect.refused(RowNotFoundException.class, () -> documents.text(1));
    Expect.refused(RowNotFoundException.class, () -> documents.at(1, "/secret/5").get());
    Expect.refused(RowNotFoundException.class, () -> documents.at(1, "/secret/5").set("x"));
    Expect.refused(RowNotFoundException.class, () -> documents.putJson(1, JSON));
    assertThat(documents.getAll(List.of(1, 2), "/secret/5")).isEmpty();
    assertUntouched();
  }

  @Test
  void apiUser_canReadButNotChangeReadableRows() throws Exception {
    BlobColumn blobs = db.blobs(second);
    DocumentColumn documents = db.documents(second);
    assertThat(blobs.read(3, 0, 50_000)).isEqualTo(CONTENT);
    try (var in = blobs.inputStream(3)) {
      assertThat(in.readAllBytes()).isEqualTo(CONTENT);
    }
    assertThat(documents.text(3)).hasValueSatisfying(t -> assertThat(t).contains("abcdefghij"));
    assertThat(documents.at(3, "/secret/2000").get())
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
                AppendOptions.defaults().withToken(new AppendToken(AppendToken.newWriter(), 1))));
    Expect.refused(AccessDeniedException.class, () -> blobs.write(3, 0, FEW));
    Expect.refused(AccessDeniedException.class, () -> blobs.truncate(3, 0));
    Expect.refused(AccessDeniedException.class, () -> blobs.replace(3, FEW));
    Expect.refused(AccessDeniedException.class, () -> blobs.compact(3));
    Expect.refused(AccessDeniedException.class, () -> blobs.seal(3));
    Expect.refused(AccessDeniedException.class, () -> blobs.delete(3));
    Expect.refused(AccessDeniedException.class, () -> documents.at(3, "/secret/5").set("x"));
    Expect.refused(AccessDeniedException.class, () -> documents.at(3, "/name").set("x"));
    Expect.refused(AccessDeniedException.class, () -> documents.at(3, "/secret/0").insert("x"));
    Expect.refused(AccessDeniedException.class, () -> documents.at(3, "/secret").append("x"));
    Expect.refused(AccessDeniedException.class, () -> documents.at(3, "/secret/0").remove());
    Expect.refused(AccessDeniedException.class, () -> documents.putJson(3, JSON));
    Expect.refused(AccessDeniedException.class, () -> documents.compact(3));
    Expect.refused(AccessDeniedException.class, () -> documents.clear(3));
    assertUntouched();
  }

  @Test
  void sqlRole_seesInTheStoreOnlyContentOfItsRows() throws Exception {
    db.blobs(second).append(2, CONTENT);
    db.documents(second).putJson(2, JSON);
    List<String> named =
        db.rows(second, "SELECT content FROM item WHERE content IS NOT NULL ORDER BY 1");
    assertThat(named).hasSize(2);
    assertThat(db.rows(second, "SELECT DISTINCT id FROM pgtoaster.store_1_head ORDER BY 1"))
        .isEqualTo(named);
    assertThat(db.rows(second, "SELECT DISTINCT blob_id FROM pgtoaster.store_1_chunk ORDER BY 1"))
        .isEqualTo(named);
    List<String> split =
        db.rows(second, "SELECT doc->'$pgtoaster'->>0 FROM item WHERE doc IS NOT NULL ORDER BY 1");
    assertThat(split).hasSize(2);
    assertThat(db.rows(second, "SELECT DISTINCT id::text FROM pgtoaster.store_2_head ORDER BY 1"))
        .isEqualTo(split);
    assertThat(db.rows(second, "SELECT DISTINCT doc::text FROM pgtoaster.store_2_node ORDER BY 1"))
        .isEqualTo(split);
    for (String garbage : List.of("store_1_garbage", "store_2_garbage")) {
      db.assertRefused("42501", second, "SELECT * FROM pgtoaster." + garbage);
    }
  }

  @Test
  void sqlFunctions_refuseHandlesOfOtherTenants() throws Exception {
    long blob = handle(1);
    String stub = Sql.literal(database.string("SELECT doc FROM item WHERE id = 1"));
    db.assertRefused("XX001", second, "SELECT pgtoaster.blob_length(" + blob + ")");
    db.assertRefused("XX001", second, "SELECT pgtoaster.blob_read(" + blob + ", 0, 10)");
    db.assertRefused("XX001", second, "SELECT pgtoaster.expand(" + stub + ")");
    db.assertRefused("XX001", second, "SELECT pgtoaster.get(" + stub + ", '{secret,5}')");
    db.assertRefused(
        "XX001", second, "SELECT pgtoaster.contains(" + stub + ", '{\"secret\": [1]}')");
    db.assertRefused("42501", second, "SELECT pgtoaster.release(1, " + blob + ")");
    assertThat(db.rows(second, "SELECT pgtoaster.blob_length(content) FROM item WHERE id = 3"))
        .containsExactly(Integer.toString(CONTENT.length));
    assertThat(db.rows(second, "SELECT pgtoaster.get(doc, '{secret,2000}') FROM item WHERE id = 3"))
        .containsExactly("1");
    if (setting.extension()) {
      db.assertRefused("P0002", second, "SELECT toaster.blob_read('item', 'content', 1, 0, 10)");
      db.assertRefused("P0002", second, "SELECT toaster.json_get('item', 'doc', 1, '{secret,5}')");
      db.assertRefused("42501", second, "SELECT toaster.blob_append('item', 'content', 3, 'x')");
      db.assertRefused("42501", second, "SELECT toaster.blob_truncate('item', 'content', 3, 0)");
      db.assertRefused("42501", second, "SELECT toaster.blob_delete('item', 'content', 3)");
      db.assertRefused("42501", second, "SELECT toaster.json_set('item', 'doc', 3, '{name}', '1')");
      db.assertRefused(
          "42501", second, "SELECT toaster.json_remove('item', 'doc', 3, '{secret,5}')");
      db.assertRefused("42501", second, "SELECT toaster.json_shrink('item', 'doc', 3)");
    }
    assertUntouched();
  }

  /**
   * Direct SQL on the store, against content that the role may read and content that it may not.
   */
  @Test
  void sqlRole_cannotChangeOtherTenantsContentInTheStore() throws Exception {
    db.blobs(second).append(2, CONTENT);
    db.documents(second).putJson(2, JSON);
    List<String> before = everything();
    long own = handle(2);
    long ownDocument = database.number("SELECT doc->'$pgtoaster'->>0 FROM item WHERE id = 2");
    for (int id : new int[] {1, 3}) {
      long blob = handle(id);
      long document = database.number("SELECT doc->'$pgtoaster'->>0 FROM item WHERE id = " + id);
      db.as(
          second,
          "UPDATE pgtoaster.store_1_head SET base = 0 WHERE id = " + blob,
          "UPDATE pgtoaster.store_1_chunk SET data = '' WHERE blob_id = " + blob,
          "DELETE FROM pgtoaster.store_1_chunk WHERE blob_id = " + blob,
          "DELETE FROM pgtoaster.store_1_head WHERE id = " + blob,
          "UPDATE pgtoaster.store_2_node SET value = '1' WHERE doc = " + document,
          "DELETE FROM pgtoaster.store_2_node WHERE doc = " + document,
          "UPDATE pgtoaster.store_2_head SET generation = 9 WHERE id = " + document,
          "DELETE FROM pgtoaster.store_2_head WHERE id = " + document);
      db.assertRefused(
          "42501",
          second,
          "INSERT INTO pgtoaster.store_1_chunk VALUES (" + blob + ", 81000, 1, '')");
      db.assertRefused(
          "42501",
          second,
          "INSERT INTO pgtoaster.store_1_piece VALUES (" + blob + ", 9, 9, 1, '')");
      db.assertRefused(
          "42501",
          second,
          "UPDATE pgtoaster.store_1_chunk SET blob_id = "
              + blob
              + ", start = -start - 1 WHERE blob_id = "
              + own);
      db.assertRefused(
          "42501",
          second,
          "UPDATE pgtoaster.store_2_node SET doc = " + document + " WHERE doc = " + ownDocument);
      db.assertRefused(
          "42501", second, "UPDATE pgtoaster.store_2_head SET owner_1 = 2 WHERE id = " + document);
      db.assertRefused(
          "42501",
          second,
          "INSERT INTO pgtoaster.store_2_node (doc, id, kind, bytes) VALUES ("
              + document
              + ", 9, 'a', 9)");
      db.assertRefused(
          "42501", second, "INSERT INTO pgtoaster.store_2_head (owner_1) VALUES (" + id + ")");
    }
    // Try to change all content except the tenant's.
    db.as(
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
  void contentWithoutARow_belongsToItsCreatingTransaction() throws Exception {
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
    db.assertRefused(
        "42501", second, "INSERT INTO item (id, content) VALUES (22, " + committed + ")");
    db.assertRefused("42501", second, "UPDATE item SET content = " + committed + " WHERE id = 2");
    db.assertRefused("42501", second, "UPDATE item SET content = " + handle(1) + " WHERE id = 2");
    // A row that is deleted and inserted again in one transaction keeps its content.
    db.as(
        first,
        "BEGIN",
        "CREATE TEMP TABLE kept AS SELECT id, content, doc FROM item WHERE id = 1",
        "DELETE FROM item WHERE id = 1",
        "INSERT INTO item (id, content, doc) SELECT * FROM kept",
        "COMMIT");
    assertUntouched();
    db.blobs(first).delete(21);
    db.pgToaster(owner)
        .catalog()
        .gc(GcOptions.defaults().withDryRun(false).withGrace(Duration.ZERO));
    assertThat(database.number("SELECT count(*) FROM pgtoaster.store_1_head")).isEqualTo(2);
    assertThat(database.number("SELECT count(*) FROM pgtoaster.store_1_garbage")).isZero();
  }

  @Test
  void headsCreatedBeforeTheirRows_canBeReferencedByThem() throws SQLException {
    try (Connection c = database.connect(second)) {
      c.setAutoCommit(false);
      BlobColumn blobs = db.blobs(second).on(c);
      long[] handles = blobs.create(2);
      Sql.run(
          c,
          "INSERT INTO item (id, content) VALUES (31, %d), (32, %d)"
              .formatted(handles[0], handles[1]));
      blobs.append(31, CONTENT);
      blobs.append(32, FEW);
      c.commit();
    }
    assertThat(db.blobs(second).read(31, 0, 50_000)).isEqualTo(CONTENT);
    assertThat(db.blobs(second).read(32, 0, 50_000)).isEqualTo(FEW);
  }

  /** Policies lock the owner's row in the weakest mode, so writers do not wait for these locks. */
  @Test
  void writersOfOneRow_loseNothing() throws Exception {
    assertThatWritersLoseNothing();
  }

  /** With a check constraint, or with a trigger of the owner, the extension takes a slower path. */
  @Test
  void writersOfOneRow_loseNothing_ifTheStoreHasACheck() throws Exception {
    db.as(owner, "ALTER TABLE pgtoaster.store_1_head ADD CHECK (chunk_size > 0)");
    assertThatWritersLoseNothing();
  }

  private void assertThatWritersLoseNothing() throws Exception {
    int rounds = 25;
    byte[] piece = Bytes.random(7, 900);
    List<Callable<Void>> all = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      all.add(
          () -> {
            BlobColumn blobs = db.blobs(first);
            for (int round = 0; round < rounds; round++) {
              blobs.append(1, round % 5 == 4 ? CONTENT : round % 2 == 0 ? FEW : piece);
            }
            return null;
          });
    }
    all.add(
        () -> {
          DocumentColumn documents = db.documents(first);
          for (int round = 0; round < rounds; round++) {
            documents.at(1, "/secret/" + round * 50).set(round);
            documents.at(1, "/secret").append(round);
            db.as(first, "UPDATE item SET shared = NOT shared WHERE id = 1");
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
    assertThat(db.blobs(first).length(1)).isEqualTo(CONTENT.length + length);
    assertThat(db.blobs(first).verify(1)).isEmpty();
    assertThat(db.documents(first).at(1, "/secret").size()).hasValue(2001 + rounds);
    assertThat(db.documents(first).verify(1)).isEmpty();
  }

  @Test
  void followers_canRegisterForReadableBlobsOnly() throws SQLException {
    String follow = "INSERT INTO pgtoaster.store_1_follower (blob_id, expires) VALUES (%d, now())";
    db.as(second, follow.formatted(handle(3)));
    db.assertRefused("42501", second, follow.formatted(handle(1)));
  }

  @Test
  void ownerOfTheTable_canCleanUpAndDetach() throws Exception {
    db.as(first, "DELETE FROM item WHERE id = 1");
    assertThat(database.number("SELECT count(*) FROM pgtoaster.store_1_head")).isEqualTo(1);
    db.pgToaster(owner)
        .catalog()
        .gc(GcOptions.defaults().withDryRun(false).withGrace(Duration.ZERO));
    assertThat(db.blobs(first).read(3, 0, 50_000)).isEqualTo(CONTENT);
    db.as(
        owner,
        "SELECT pgtoaster.detach('item', 'doc')",
        "SELECT pgtoaster.detach('item', 'content', true)");
    assertThat(database.number("SELECT count(*) FROM pg_trigger WHERE tgname LIKE '%pgtoaster%'"))
        .isZero();
    assertThat(db.rows(second, "SELECT doc->>'name' FROM item WHERE id = 3"))
        .containsExactly("Ada");
  }
}
