package io.pgtoaster.it.blob.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.it.kit.Bytes;
import io.pgtoaster.it.kit.Database;
import io.pgtoaster.it.kit.PostgresServers;
import io.pgtoaster.it.kit.Sql;
import io.pgtoaster.it.security.HostileNamesIT;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Blobs through SQL functions: keys, names, errors and other cases that the contract does not
 * cover.
 */
@ParameterizedClass(name = "PostgreSQL {0}")
@MethodSource("io.pgtoaster.it.kit.PostgresServers#edges")
class BlobSqlIT {
  @Parameter int version;

  @AutoClose private Database database;

  static Stream<String> names() {
    return HostileNamesIT.names();
  }

  @BeforeEach
  void open() {
    database = PostgresServers.shared(version).installed();
  }

  private void refused(String state, String message, String statement) {
    assertThatThrownBy(
            () -> {
              try (Connection c = database.connect()) {
                Sql.strings(c, statement);
              }
            })
        .as(statement)
        .hasMessageContaining(message)
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo(state));
  }

  private void item(String key) {
    database.run("CREATE TABLE item (" + key + ")");
    database.string("SELECT pgtoaster.attach('item', 'content')");
  }

  private void append(String key, String bytes, String answer) {
    assertThat(
            database.string("SELECT pgtoaster.blob_append('item', 'content', " + key + bytes + ")"))
        .as(key)
        .isEqualTo(answer);
  }

  @Test
  void discard_movesTheFirstOffset() {
    item("id bigint PRIMARY KEY");
    database.run("INSERT INTO item VALUES (7), (8)");
    append("7", ", 'hello world'", "(0,11,applied)");
    String discard = "SELECT pgtoaster.blob_discard('item', 'content', ";
    assertThat(database.number(discard + "7, 6)")).isEqualTo(6);
    assertThat(database.number(discard + "'7', 2)")).isEqualTo(6);
    String of = " FROM item WHERE id = 7";
    assertThat(
            database.string(
                "SELECT concat_ws(' ', convert_from(pgtoaster.blob_read(content, 6, 99), 'UTF8'),"
                    + " convert_from(pgtoaster.substring(content, 8, 3), 'UTF8'),"
                    + " pgtoaster.blob_length(content))"
                    + of))
        .isEqualTo("world orl 11");
    String lost = "before offset 6";
    refused("55000", lost, "SELECT pgtoaster.blob_read('item', 'content', 7, 5, 1)");
    refused("55000", lost, "SELECT pgtoaster.blob_write('item', 'content', 7, 5, 'x')");
    refused("55000", lost, "SELECT pgtoaster.blob_truncate('item', 'content', 7, 5)");
    refused("55000", lost, "SELECT pgtoaster.blob_read(content, 5, 1)" + of);
    refused("55000", lost, "SELECT pgtoaster.substring(content, 6, 3)" + of);
    refused("55000", lost, "SELECT pgtoaster.bytes(content)" + of);
    refused("22023", "beyond the end", discard + "7, 12)");
    refused("22023", "negative", discard + "7, -1)");
    refused("22004", "cannot be NULL", discard + "7, NULL)");
    refused("P0002", "is NULL", discard + "8, 0)");
    refused("P0002", "there is no row", discard + "9, 0)");
    refused("55000", "before offset 6", "SELECT pgtoaster.migrate_back('item', 'content')");
    assertThat(
            database.number(
                "SELECT count(*) FROM pg_attribute WHERE attrelid = 'item'::regclass AND attname ~"
                    + " 'plain'"))
        .isZero();
    assertThat(database.number("SELECT (pgtoaster.measure_blobs(id))[2] FROM pgtoaster.store"))
        .isEqualTo(5);
    database.run("SELECT pgtoaster.blob_truncate('item', 'content', 7, 0)");
    append("7", ", 'again'", "(0,5,applied)");
    assertThat(database.string("SELECT convert_from(pgtoaster.bytes(content), 'UTF8')" + of))
        .isEqualTo("again");
    database.run("SELECT pgtoaster.migrate_back('item', 'content')");
    database.run("CREATE TABLE plain (id bigint PRIMARY KEY, content bytea)");
    database.string("SELECT pgtoaster.attach('plain', 'content', 'default')");
    refused(
        "0A000",
        "does not support blob_discard()",
        "SELECT pgtoaster.blob_discard('plain', 'content', 1, 0)");
  }

  private void appendAll(String keys, String bytes, String answer) {
    String call = "pgtoaster.blob_append_all('item', 'content', %s, %s::bytea[])";
    assertThat(
            database.string(
                "SELECT string_agg(r::text, ' ') FROM " + call.formatted(keys, bytes) + " r"))
        .isEqualTo(answer);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'appendable'",
        "'appendable', '{\"crc32c\": true, \"chunk_size\": 512}'",
        "'appendable', '{\"tail\": 0}'",
        "'default'"
      })
  void appendAll_appendsToAllRowsOrNone(String toaster) {
    database.run(
        "CREATE TABLE item (id bigint PRIMARY KEY, content bytea)",
        "INSERT INTO item SELECT generate_series(1, 12)",
        "SELECT pgtoaster.attach('item', 'content', " + toaster + ")");
    appendAll("ARRAY[10, 2, 10]", "ARRAY['abc', 'd', 'ef']", "(10,0,3) (2,0,1) (10,3,2)");
    appendAll("ARRAY['2', '3']", "ARRAY['', repeat('x', 600)]", "(2,1,0) (3,0,600)");
    appendAll(
        "ARRAY[3, 2, 10]", "ARRAY[repeat('y', 700), 'z', 'g']", "(3,600,700) (2,1,1) (10,5,1)");
    appendAll("CAST('{}' AS int[])", "'{}'", null);
    // Two texts for one key are two appends to one row.
    assertThat(
            database.string(
                "SELECT string_agg(\"offset\"::text, ' ' ORDER BY \"offset\") FROM"
                    + " pgtoaster.blob_append_all('item', 'content', ARRAY['2', ' 2'],"
                    + " ARRAY['a', 'a']::bytea[])"))
        .isEqualTo("2 3");
    String all = "SELECT pgtoaster.blob_append_all('item', 'content', ";
    refused("P0002", "there is no row", all + "ARRAY[2, 99], ARRAY['a', 'b']::bytea[])");
    refused("22004", "cannot be NULL", all + "ARRAY[2, NULL], ARRAY['a', 'b']::bytea[])");
    refused("22004", "cannot be NULL", all + "ARRAY[2, 3], ARRAY['a', NULL]::bytea[])");
    refused("22023", "2 keys, but 1 values", all + "ARRAY[2, 3], ARRAY['a']::bytea[])");
    refused("22P02", "{2,3}", all + "ARRAY['2', '{2,3}'], ARRAY['a', 'b']::bytea[])");
    if (toaster.startsWith("'appendable'")) {
      database.run("SELECT pgtoaster.blob_seal('item', 'content', 3)");
      refused("55000", "is sealed", all + "ARRAY[2, 3], ARRAY['a', 'b']::bytea[])");
    }
    assertThat(
            database.string(
                "SELECT string_agg(md5(pgtoaster.blob_read('item', 'content', id, 0, 9999)), ' '"
                    + " ORDER BY id) FROM item WHERE id IN (2, 3, 10)"))
        .isEqualTo(
            database.string(
                "SELECT concat_ws(' ', md5('dzaa'), md5(repeat('x', 600) || repeat('y', 700)),"
                    + " md5('abcefg'))"));
  }

  @Test
  void appendAll_findsRowsByKeysOfSeveralColumns() {
    database.run(
        "CREATE TABLE item (tenant int, id text, PRIMARY KEY (id, tenant))",
        "INSERT INTO item SELECT g % 3, g FROM generate_series(1, 9) g",
        "SELECT pgtoaster.attach('item', 'content', 'appendable', '{\"leading_key\": \"tenant\"}')");
    for (int i = 0; i < 2; i++) {
      appendAll(
          "ARRAY['{5,2}', '{1,1}', '{3,0}', '{4,1}']",
          "ARRAY['ab', 'c', 'd', 'e']",
          "(\"{5,2}\",%d,2) (\"{1,1}\",%d,1) (\"{3,0}\",%d,1) (\"{4,1}\",%d,1)"
              .formatted(2 * i, i, i, i));
    }
    String all = "SELECT pgtoaster.blob_append_all('item', 'content', ";
    refused("42804", "has 2 columns", all + "ARRAY['{5,2}', '5'], ARRAY['a', 'b']::bytea[])");
    refused("P0002", "there is no row", all + "ARRAY['{5,2}', '{5,1}'], ARRAY['a', 'b']::bytea[])");
    assertThat(database.number("SELECT pgtoaster.blob_length('item', 'content', '{5,2}')"))
        .isEqualTo(4);
  }

  @Test
  void keys_mayHaveAnyTypeThatConvertsToThatOfTheColumn() {
    item("id bigint PRIMARY KEY");
    database.run("INSERT INTO item VALUES (7)");
    String[] keys = {"7", "'7'", "7::smallint", "7::numeric", "'7'::varchar", "'7'::name", "' 7'"};
    for (int i = 0; i < keys.length; i++) {
      append(keys[i], ", 'x'", "(" + i + ",1,applied)");
      assertThat(
              database.number("SELECT pgtoaster.blob_length('item', 'content', " + keys[i] + ")"))
          .isEqualTo(i + 1);
    }
    refused("22P02", "1.4", "SELECT pgtoaster.blob_length('item', 'content', 1.4)");
    refused("22004", "cannot be NULL", "SELECT pgtoaster.blob_length('item', 'content', NULL)");
    refused(
        "42804",
        "has 1 column",
        "SELECT pgtoaster.blob_length('item', 'content', ARRAY['7', '8'])");
  }

  @ParameterizedTest
  @ValueSource(strings = {"text[]", "varchar[]", "int[]", "\"char\"", "name", "char(3)"})
  void keyOfAnyType_isConvertedToTheTypeOfTheColumn(String type) {
    item("id " + type + " PRIMARY KEY, n serial");
    String[] values =
        type.endsWith("[]")
            ? new String[] {"'{1,2}'", "'{12}'", "'{}'", "'{{1},{2}}'"}
            : new String[] {"'7'", "'{'"};
    for (String value : values) {
      database.run("INSERT INTO item VALUES (" + value + ")");
      String key = "(SELECT id FROM item WHERE id = " + value + ")";
      append(key, ", 'x'", "(0,1,applied)");
      append(value, ", 'y'", "(1,1,applied)");
      append("CAST(" + value + " AS text)", ", 'z'", "(2,1,applied)");
      assertThat(
              database.string(
                  "SELECT convert_from(pgtoaster.blob_read('item', 'content', "
                      + key
                      + ", 0, 9), 'UTF8')"))
          .isEqualTo("xyz");
    }
  }

  @Test
  void keyOfSeveralColumns_isAnArrayOfTextsOrARow() {
    item("region text, id int, at date, PRIMARY KEY (id, at, region)");
    database.run("INSERT INTO item VALUES ('nor\"th, {''}', 7, '2026-01-02')");
    append("ARRAY['7', '2026-01-02', 'nor\"th, {''}']", ", 'a'", "(0,1,applied)");
    append("ROW(7, date '2026-01-02', 'nor\"th, {''}')", ", 'b'", "(1,1,applied)");
    append("'{7,2026-01-02,\"nor\\\"th, {''}\"}'", ", 'c'", "(2,1,applied)");
    refused("42804", "has 3 columns", "SELECT pgtoaster.blob_length('item', 'content', 7)");
    refused(
        "42804", "has 3 columns", "SELECT pgtoaster.blob_length('item', 'content', ROW(7, 'x'))");
    refused(
        "22004",
        "cannot be NULL",
        "SELECT pgtoaster.blob_length('item', 'content', ROW(7, NULL, 'x'))");
  }

  @Test
  void keysOfTypesWithOtherComparisons_findTheirRow() {
    database.run("CREATE TYPE mood AS ENUM ('sad', 'ok')", "CREATE DOMAIN code AS char(5)");
    item("a mood, b code, c uuid, d bytea, PRIMARY KEY (a, b, c, d)");
    database.run(
        "INSERT INTO item VALUES ('ok', 'ab', '018f0000-0000-7000-8000-000000000001', '\\x00ff')");
    String[] keys = {
      "ARRAY['ok', 'ab', '018F0000-0000-7000-8000-000000000001', '\\x00ff']",
      "ROW('ok'::mood, 'ab'::code, '018f0000-0000-7000-8000-000000000001'::uuid, '\\x00ff'::bytea)"
    };
    append(keys[0], ", 'a'", "(0,1,applied)");
    append(keys[1], ", 'a'", "(1,1,applied)");
  }

  @ParameterizedTest
  @MethodSource("names")
  void schemaTableColumnAndKey_mayHaveAnyName(String name) throws SQLException {
    String quoted = Sql.identifier(name);
    String column = Sql.identifier(name.length() > 30 ? name.substring(0, 30) : name + "2");
    String table = quoted + "." + quoted;
    database.run(
        "CREATE SCHEMA " + quoted,
        "CREATE TABLE %s (%s text NOT NULL, id text, PRIMARY KEY (%s, id))"
            .formatted(table, quoted, quoted),
        "INSERT INTO %s VALUES (%s, '1')".formatted(table, Sql.literal(name)));
    String options = "{\"store_schema\": \"owner\"}";
    for (String leads : new String[] {"", name}) {
      String col = leads.isEmpty() ? column : "lead";
      database.string(
          "SELECT pgtoaster.attach(%s, %s, 'appendable', %s::jsonb || %s)"
              .formatted(
                  Sql.literal(table),
                  col.equals("lead") ? "'lead'" : Sql.literal(unquoted(column)),
                  Sql.literal(options),
                  leads.isEmpty()
                      ? "'{}'"
                      : "jsonb_build_object('leading_key', " + Sql.literal(name) + ")"));
      String call =
          "(%s, %s, ARRAY[%s, '1']"
              .formatted(
                  Sql.literal(table),
                  col.equals("lead") ? "'lead'" : Sql.literal(unquoted(column)),
                  Sql.literal(name));
      assertThat(
              database.string(
                  "SELECT pgtoaster.blob_append"
                      + call
                      + ", convert_to(repeat('x', 9000), 'UTF8'))"))
          .isEqualTo("(0,9000,applied)");
      String list =
          call.replace("ARRAY[", "ARRAY[CAST(ARRAY[").replace(", '1']", ", '1'] AS text)]")
              + ", ARRAY['y'::bytea])";
      assertThat(database.number("SELECT \"offset\" FROM pgtoaster.blob_append_all" + list))
          .isEqualTo(9000);
      database.string("SELECT pgtoaster.blob_write" + call + ", 8099, 'ab')");
      database.string("SELECT pgtoaster.blob_truncate" + call + ", 8101)");
      database.string("SELECT pgtoaster.blob_seal" + call + ")");
      assertThat(
              database.string(
                  "SELECT convert_from(pgtoaster.blob_read" + call + ", 8098, 9), 'UTF8')"))
          .isEqualTo("xab");
      assertThat(database.number("SELECT pgtoaster.blob_length" + call + ")")).isEqualTo(8101);
    }
  }

  private static String unquoted(String identifier) {
    return identifier.substring(1, identifier.length() - 1).replace("\"\"", "\"");
  }

  @Test
  void renamedTablesColumnsAndSchemas_areFollowed() {
    database.run("CREATE SCHEMA app", "CREATE TABLE app.item (id int PRIMARY KEY)");
    database.string(
        "SELECT pgtoaster.attach('app.item', 'content', 'appendable', '{\"store_schema\":"
            + " \"owner\"}')");
    database.run(
        "INSERT INTO app.item VALUES (1)",
        "SELECT pgtoaster.blob_append('app.item', 'content', 1, 'one')",
        "ALTER TABLE app.item RENAME TO thing",
        "ALTER TABLE app.thing RENAME content TO body",
        "ALTER TABLE app.thing RENAME id TO number",
        "SELECT pgtoaster.blob_append('app.thing', 'body', 1, 'two')");
    refused("42704", "not attached", "SELECT pgtoaster.blob_length('app.thing', 'content', 1)");
    database.run("ALTER SCHEMA app RENAME TO other");
    refused(
        "55000",
        "mirror_privileges('other.thing')",
        "SELECT pgtoaster.blob_append('other.thing', 'body', 1, 'three')");
    database.run(
        "SELECT pgtoaster.mirror_privileges('other.thing')",
        "SELECT pgtoaster.blob_append('other.thing', 'body', 1, 'three')");
    assertThat(
            database.string(
                "SELECT convert_from(pgtoaster.blob_read('other.thing', 'body', 1, 0, 99),"
                    + " 'UTF8')"))
        .isEqualTo("onetwothree");
  }

  @Test
  void rowsOfPartitions_areFoundByTheWholeKey() {
    database.run(
        "CREATE TABLE item (id int, part int, PRIMARY KEY (id, part)) PARTITION BY LIST (part)",
        "CREATE TABLE item_1 PARTITION OF item FOR VALUES IN (1)",
        "CREATE TABLE item_2 PARTITION OF item FOR VALUES IN (2)",
        "INSERT INTO item VALUES (1, 1), (1, 2)");
    database.string("SELECT pgtoaster.attach('item', 'content')");
    append("ARRAY['1', '2']", ", 'two'", "(0,3,applied)");
    append("ARRAY['1', '1']", ", 'first'", "(0,5,applied)");
    assertThat(
            database.strings(
                "SELECT pgtoaster.blob_length('item', 'content', ROW(id, part)) FROM item ORDER BY"
                    + " part"))
        .containsExactly("5", "3");
  }

  @Test
  void columnsThatAreNotBlobs_areRefusedWithAdvice() {
    database.run("CREATE TABLE item (id int PRIMARY KEY, plain bytea, doc jsonb)");
    database.run("INSERT INTO item (id) VALUES (1)");
    database.string("SELECT pgtoaster.attach('item', 'doc', 'keyed')");
    refused("42704", "pgtoaster.attach('public.item', 'plain')", call("append", "plain", "'x'"));
    refused(
        "42704", "pgtoaster.attach('public.item', 'nothing')", call("append", "nothing", "'x'"));
    refused(
        "0A000",
        "toaster \"keyed\" of public.item.doc does not support",
        call("append", "doc", "'x'"));
    database.string("SELECT pgtoaster.attach('item', 'plain', 'default')");
    assertThat(database.string(call("append", "plain", "'x'"))).isEqualTo("(0,1,applied)");
    refused("0A000", "does not support blob_seal", call("seal", "plain", null));
    String token = "'x', NULL, '018f0000-0000-7000-8000-000000000001', 1";
    refused("0A000", "does not store tokens", call("append", "plain", token));
    refused("22023", "one of them is NULL", call("append", "plain", "'x', sequence => 1"));
    refused("22023", "cannot be negative", call("append", "plain", "'x', -1"));
    refused("22004", "cannot be NULL", call("append", "plain", "NULL"));
  }

  private static String call(String operation, String column, String arguments) {
    return "SELECT pgtoaster.blob_%s('item', '%s', 1%s)"
        .formatted(operation, column, arguments == null ? "" : ", " + arguments);
  }

  @Test
  void invalidText_isRefusedWithoutShowingIt() {
    database.run("CREATE TABLE item (id int PRIMARY KEY, t text)", "INSERT INTO item VALUES (1)");
    database.string("SELECT pgtoaster.attach('item', 't', 'default')");
    assertThat(database.string(call("append", "t", "convert_to('aé', 'UTF8')")))
        .isEqualTo("(0,3,applied)");
    String[] calls = {
      call("append", "t", "'\\xfe41'"),
      call("append", "t", "'\\x00'"),
      call("write", "t", "2, 'x'"),
      call("write", "t", "1, 'x'"),
      call("write", "t", "0, '\\xfe'"),
      call("truncate", "t", "2")
    };
    for (String each : calls) {
      assertThatThrownBy(() -> database.strings(each))
          .as(each)
          .rootCause()
          .hasMessageContaining("public.item.t(1) can contain only whole characters")
          .hasMessageNotContaining("0xfe")
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("22021"));
    }
    database.string(call("write", "t", "1, convert_to('éß', 'UTF8')"));
    assertThat(database.string("SELECT t FROM item")).isEqualTo("aéß");
  }

  @Test
  void triggersOfTheTable_seeOnlyTheHandle_andTheCallersSearchPath() {
    item("id int PRIMARY KEY");
    database.run(
        "INSERT INTO item VALUES (1)",
        "CREATE TABLE seen (old bigint, new bigint)",
        """
        CREATE FUNCTION see() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN INSERT INTO seen VALUES (OLD.content, NEW.content); RETURN NEW; END $$
        """,
        "CREATE TRIGGER see BEFORE UPDATE ON item FOR EACH ROW EXECUTE FUNCTION see()");
    append("1", ", convert_to(repeat('x', 20000), 'UTF8')", "(0,20000,applied)");
    append("1", ", 'x'", "(20000,1,applied)");
    database.string(call("write", "content", "5, 'x'"));
    database.string(call("truncate", "content", "7"));
    database.string(call("seal", "content", null));
    assertThat(database.strings("SELECT old IS NULL AND new = content FROM seen, item"))
        .containsExactly("t");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "{\"crc32c\": true}", "{\"chunk_size\": 512, \"tail\": 0}"})
  void append_ofMegabytesWithAToken_isAppliedOnce(String options) {
    database.run("CREATE TABLE item (id int PRIMARY KEY)", "INSERT INTO item VALUES (1)");
    database.string("SELECT pgtoaster.attach('item', 'content', 'appendable', '" + options + "')");
    int size = options.contains("crc") && version < 18 ? 30_000 : 3_000_000;
    String append =
        call(
            "append",
            "content",
            "convert_to(repeat('x', %d), 'UTF8'), NULL, '018f0000-0000-7000-8000-000000000001', 1"
                .formatted(size));
    assertThat(database.string(append)).isEqualTo("(0,%d,applied)".formatted(size));
    assertThat(database.string(append)).isEqualTo("(0,%d,\"already applied\")".formatted(size));
    refused("22023", "this writer", append.replace(size + "", size - 1 + ""));
    BlobColumn java = PgToaster.create(database.dataSource()).blobs("item", "content");
    assertThat(java.verify(1)).isEmpty();
    assertThat(java.read(1, 0, size + 1)).hasSize(size).containsOnly('x');
  }

  @ParameterizedTest
  @ValueSource(strings = {"appendable", "default"})
  void offsetOrLengthBeyondTheEnd_isRefused_andTheMessageNamesItAndTheLength(String toaster) {
    database.run(
        "CREATE TABLE item (id int PRIMARY KEY, content %s)"
            .formatted(toaster.equals("default") ? "bytea" : "bigint"),
        "INSERT INTO item (id) VALUES (1)");
    database.string("SELECT pgtoaster.attach('item', 'content', '" + toaster + "')");
    append("1", ", 'hello'", "(0,5,applied)");
    String which = " is beyond the end of the blob in public.item.content(1), which has 5 bytes";
    refused("22023", "length 7" + which, call("read", "content", "7, 1"));
    refused("22023", "length 6" + which, call("write", "content", "6, 'x'"));
    refused("22023", "length 99999999" + which, call("truncate", "content", "99999999"));
    assertThat(database.string(call("read", "content", "5, 1"))).isEqualTo("\\x");
  }

  @Test
  void crc32c_matchesJava() throws SQLException {
    Random random = new Random(Long.getLong("pgtoaster.test.seed", 5));
    try (Connection c = database.connect();
        PreparedStatement s = c.prepareStatement("SELECT pgtoaster.crc32c(?)")) {
      for (int size : new int[] {0, 1, 2, 255, 256, 8100, random.nextInt(20_000)}) {
        byte[] bytes = Bytes.random(random.nextLong(), size);
        CRC32C expected = new CRC32C();
        expected.update(bytes);
        s.setBytes(1, bytes);
        try (ResultSet r = s.executeQuery()) {
          r.next();
          assertThat(r.getInt(1)).as("%d bytes", size).isEqualTo((int) expected.getValue());
        }
      }
    }
  }
}
