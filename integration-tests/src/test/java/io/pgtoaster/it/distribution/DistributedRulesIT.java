package io.pgtoaster.it.distribution;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.AppendOptions;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.column.AppendToken;
import io.pgtoaster.it.kit.Bytes;
import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.DocumentFixture;
import io.pgtoaster.it.kit.DocumentSpec;
import io.pgtoaster.it.kit.Documents;
import io.pgtoaster.it.kit.Fixture;
import io.pgtoaster.it.kit.PostgresServers;
import io.pgtoaster.it.kit.Recorder;
import io.pgtoaster.it.kit.Setting;
import io.pgtoaster.jsonb.DocumentColumn;
import java.io.ByteArrayInputStream;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Statements for a distributed column contain nothing that Citus rejects or sends to several nodes.
 */
@Tag("ci")
class DistributedRulesIT {
  /** Citus evaluates functions that are not immutable before it finds the row. */
  private static final Pattern OF_THE_ROW =
      Pattern.compile("\\b(pg_column_size|pg_column_compression|set_config)\\(");

  private static final Pattern CHANGE = Pattern.compile("^(UPDATE|DELETE|INSERT)\\b");

  /** A WITH that changes rows and passes them to another statement that changes rows. */
  private static final Pattern CHAIN =
      Pattern.compile(
          "(?s)^WITH\\b.*\\b(INSERT INTO|UPDATE \\S+ AS)\\b.*\\b(UPDATE \\S+ AS|INSERT INTO)\\b");

  private static final Pattern NOW = Pattern.compile("DO UPDATE\\b.*\\b(now|clock_timestamp)\\(");

  /** Without a modification around it, Citus would commit the routine's writes like a read. */
  private static final Pattern ROUTINE =
      Pattern.compile("\\bstore_\\d+_(append|write|change|hold)\\(");

  private static final Pattern MODIFIES =
      Pattern.compile("^WITH pgtoaster_modified AS \\(UPDATE \\S+ AS h SET");

  private static final Pattern OF_STORE =
      Pattern.compile("store_\\d+_(head|node|chunk|piece|token|follower|garbage|aside)\\b");
  private static final Pattern INSERT =
      Pattern.compile(
          "^\\s*INSERT INTO \\S+ (AS \\w+ )?\\([^)]*\\b(leading_key|owner_1)\\b[^)]*\\)");
  private static final Pattern OF_OWNER =
      Pattern.compile("(FROM|JOIN|UPDATE) (\"\\w+\"\\.)?\"item\"");

  /** Compares the leading key with a value, or with the owner's row, which is found by a value. */
  private static final Pattern LEADS =
      Pattern.compile(
          "\\b(leading_key|owner_1) OPERATOR\\(pg_catalog\\.=\\) (CAST\\(|o\\.\"tenant\")");

  private final Recorder recorder = new Recorder();

  private static String unwrapped(String sql) {
    return sql.replaceFirst("^/\\* pgtoaster \\*/", "").strip();
  }

  private void assertRouted() {
    assertThat(recorder.statements()).anyMatch(s -> ROUTINE.matcher(s.sql()).find());
    for (Recorder.Statement statement : recorder.statements()) {
      for (String one : statement.sql().split(";\n", -1)) {
        String sql = unwrapped(one);
        assertThat(sql).doesNotContain("toaster.try_").doesNotContain("pg_notify");
        assertThat(CHAIN.matcher(sql).find()).as(sql).isFalse();
        assertThat(NOW.matcher(sql).find()).as(sql).isFalse();
        if (ROUTINE.matcher(sql).find()) {
          assertThat(MODIFIES.matcher(sql).find()).as(sql).isTrue();
        }
        if (CHANGE.matcher(sql).find()) {

          // The outermost level changes rows. Inner levels read, and run first.
          List<String> levels = Recorder.levels(sql);
          assertThat(OF_THE_ROW.matcher(levels.get(levels.size() - 1)).find()).as(sql).isFalse();
        }
      }
    }
  }

  /** Asserts that each part of a statement that names a table has the leading key, for routing. */
  private void assertSpread() {
    for (Recorder.Statement statement : recorder.statements()) {
      for (String level : Recorder.levels(unwrapped(statement.sql()))) {
        // The inserted rows have the key in a column. Their source is checked like any other query.
        Matcher insert = INSERT.matcher(level);
        boolean inserts = insert.find();
        if (OF_STORE.matcher(inserts ? level.substring(insert.end()) : level).find()) {
          assertThat(LEADS.matcher(level).find()).as(level + "\nof " + statement.sql()).isTrue();
        }
        if (OF_OWNER.matcher(level).find()) {
          assertThat(level).as(statement.sql()).contains("\"tenant\" OPERATOR(pg_catalog.=) CAST(");
        }
      }
    }
  }

  @Test
  void statementsOnBlobs_areRouted() throws Exception {
    blobs(
        ColumnSpec.appendable(
            "{\"store_schema\": \"owner\", \"distributed\": true, \"notify\": true,"
                + " \"compression\": \"pglz\"}"));
    assertRouted();
  }

  @Test
  void statementsOnBlobsByRow_nameTheLeadingKeyInEachPart() throws Exception {
    blobs(ColumnSpec.appendable(ColumnSpec.SPREAD, ColumnSpec.Key.TENANT));
    assertRouted();
    assertSpread();
  }

  @Test
  void sqlThatChangesBlobs_isAModificationForCitus() throws Exception {
    changeInSql(ColumnSpec.appendable("{\"store_schema\": \"owner\", \"distributed\": true}"));
    changeInSql(ColumnSpec.appendable(ColumnSpec.SPREAD, ColumnSpec.Key.TENANT));
  }

  private void changeInSql(ColumnSpec spec) throws Exception {
    Fixture fx = new Fixture(new Setting(PostgresServers.newest(), true), spec);
    try {
      Object row = fx.row();
      assertThat(
              fx.string(
                  "SELECT (pgtoaster.blob_store(s.id, s.owner)).modifies FROM pgtoaster.store"
                      + " s"))
          .matches(MODIFIES.pattern() + ".*");
      fx.run(
          "SELECT pgtoaster.blob_append('item', 'content', " + fx.texts(row) + ", 'abc'::bytea)");
      fx.assertContent(row, "abc".getBytes(UTF_8));
    } finally {
      fx.close();
    }
  }

  private void blobs(ColumnSpec spec) throws Exception {
    Fixture fx = new Fixture(new Setting(PostgresServers.newest(), true), spec);
    try {
      BlobColumn blobs =
          PgToaster.create(recorder.record(fx.pool())).blobs(Fixture.TABLE, Fixture.COLUMN);
      Object key = fx.row();
      AppendToken token = new AppendToken(AppendToken.newWriter(), 1);
      blobs.append(key, Bytes.random(1, 10));
      blobs.append(key, Bytes.random(1, 10), AppendOptions.defaults().withToken(token));
      blobs.append(
          key,
          new ByteArrayInputStream(Bytes.random(1, 900_000)),
          AppendOptions.defaults().withToken(token.next()));
      for (int size : new int[] {1, 3000, 50_000, 600_000}) {
        blobs.append(key, Bytes.random(1, size));
      }
      blobs.write(key, 8000, Bytes.random(1, 300_000));
      blobs.truncate(key, 100_000);
      blobs.compact(key);
      blobs.verify(key);
      blobs.read(key, 5, 90_000);
      blobs.copy(key, fx.rowBeside(key));
      blobs.replace(key, Bytes.random(1, 20_000));
      blobs.seal(key);
      blobs.delete(key);
    } finally {
      fx.close();
    }
  }

  @Test
  void statementsOnDocuments_areRouted() {
    documents("\"store_schema\": \"owner\", \"distributed\": true");
    assertRouted();
  }

  @Test
  void statementsOnDocumentsByRow_nameTheLeadingKeyInEachPart() {
    documents(ColumnSpec.SPREAD.replaceAll("[{}]", ""), ColumnSpec.Key.TENANT);
    assertRouted();
    assertSpread();
  }

  /** On a single server, the number identifies a document. */
  @Test
  void statementsOnOtherDocumentsWithALeadingKey_doNotNameIt() {
    documents("\"leading_key\": \"tenant\"", ColumnSpec.Key.TENANT);
    assertThatThrownBy(this::assertSpread).isInstanceOf(AssertionError.class);
  }

  /** The rules detect statements of other columns. */
  @Test
  void statementsOnOtherDocuments_areNotRouted() {
    documents("\"store_schema\": \"owner\"");
    assertThatThrownBy(this::assertRouted).isInstanceOf(AssertionError.class);
  }

  private void documents(String options) {
    documents(options, ColumnSpec.Key.NUMBER);
  }

  private void documents(String options, ColumnSpec.Key row) {
    DocumentFixture fx =
        new DocumentFixture(
            new Setting(PostgresServers.newest(), true),
            DocumentSpec.keyed(
                "{" + options + ", \"row_budget\": 256, \"leaf_size\": 512, \"fan_out\": 4}", row));
    try {
      DocumentColumn documents =
          PgToaster.create(recorder.record(fx.pool()))
              .documents(DocumentFixture.TABLE, DocumentFixture.COLUMN);
      Object key = fx.row();
      documents.putJson(key, "{\"n\": 1}");
      for (int i = 0; i < 20; i++) {
        documents.at(key, "n").set(i);
        documents.at(key, "n").increment(1);
      }
      documents.putJson(
          key,
          "{\"n\": 1, \"list\": [1, 2], \"text\": \"%s\", \"more\": {\"a\": \"%s\"}}"
              .formatted(Documents.words(1, 900), Documents.words(2, 900)));
      documents.at(key, "more.b").set(Documents.words(3, 2000));
      documents.at(key, "list").append(3);
      documents.at(key, "list.0").insert(0);
      documents.mergeJson(key, "{\"more\": {\"c\": 1}}");
      documents.patchJson(key, "[{\"op\": \"remove\", \"path\": \"/text\"}]");
      documents.verify(key);
      documents.stat(key);
      documents.compact(key);
      documents.at(key, "more").remove();
      assertThat(documents.text(key).orElseThrow()).contains("\"list\": [0, 1, 2, 3]");
      documents.clear(key);
    } finally {
      fx.close();
    }
  }
}
