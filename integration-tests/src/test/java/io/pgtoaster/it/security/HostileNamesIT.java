package io.pgtoaster.it.security;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.pgtoaster.DetachOptions;
import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.AppendOptions;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.blob.BlobOptions;
import io.pgtoaster.column.AppendToken;
import io.pgtoaster.column.ColumnName;
import io.pgtoaster.column.ToasterOptions;
import io.pgtoaster.error.ColumnNotFoundException;
import io.pgtoaster.error.PgToasterException;
import io.pgtoaster.error.RowNotFoundException;
import io.pgtoaster.it.kit.Breadth;
import io.pgtoaster.it.kit.Bytes;
import io.pgtoaster.it.kit.Database;
import io.pgtoaster.it.kit.Expect;
import io.pgtoaster.it.kit.Options;
import io.pgtoaster.it.kit.PostgresServers;
import io.pgtoaster.it.kit.Sql;
import io.pgtoaster.it.kit.Wait;
import java.io.ByteArrayInputStream;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Names and keys that would break carelessly composed SQL. */
@ParameterizedClass(name = "PostgreSQL {0}")
@MethodSource("versions")
public class HostileNamesIT {
  private static final String BOBBY = "x'; DROP TABLE victim; --";

  @Parameter int version;

  private Database database;
  private HikariDataSource pool;
  private PgToaster toaster;

  static Stream<Integer> versions() {
    // The statements are the same on all versions.
    return Breadth.chosen() == Breadth.ALL
        ? PostgresServers.edges().stream()
        : Stream.of(PostgresServers.newest());
  }

  /**
   * Every build uses two names that would break incorrect quoting, and the longest possible name.
   */
  public static Stream<String> names() {
    List<String> some = List.of("a'b; --", "x\" \\ ($2)[1] ? %s.ü", "ü".repeat(31) + "x");
    return Breadth.chosen() == Breadth.NEWEST ? some.stream() : all();
  }

  private static Stream<String> all() {
    return Stream.of(
        "a\"b",
        "a'b",
        BOBBY,
        "x\"; DROP TABLE victim; --",
        "dotted.name",
        "per%cent %s %I %1$s",
        "back\\slash",
        "$1 ($2)[1] $$ ? ?? :name {fn x}",
        "Groß \u4E2D\u6587 \uD83D\uDC18",
        "select",
        " spaces ",
        "tab\tand\nnewline",
        "n".repeat(63),
        "ü".repeat(31) + "x");
  }

  @BeforeEach
  void victim() {
    database = PostgresServers.shared(version).installed();
    database.run("CREATE TABLE victim AS SELECT 1 AS untouched");
    pool = database.pool(2);
    toaster = PgToaster.create(pool);
  }

  @AfterEach
  void nothingElseIsTouched() {
    pool.close();
    assertThat(database.number("SELECT untouched FROM victim")).isEqualTo(1);
  }

  private static void everyCall(BlobColumn blobs, Object key, Object other) throws Exception {
    byte[] bytes = Bytes.random(1, 20_000);
    AppendOptions token =
        AppendOptions.defaults().withToken(new AppendToken(AppendToken.newWriter(), 1));
    blobs.append(key, bytes);
    blobs.append(key, Bytes.random(2, 10));
    blobs.append(key, Bytes.random(2, 10), token);
    blobs.append(key, new ByteArrayInputStream(bytes));
    blobs.write(key, 5, bytes);
    blobs.truncate(key, 30_000);
    blobs.compact(key);
    blobs.copy(key, other);
    assertThat(blobs.read(key, 0, 5)).isEqualTo(Bytes.slice(bytes, 0, 5));
    assertThat(blobs.read(other, 5, 20_000)).isEqualTo(bytes);
    assertThat(blobs.verify(key)).isEmpty();
    assertThat(blobs.keys(10)).hasSize(2);
    blobs.replace(key, bytes);
    blobs.seal(key);
    try (var in = blobs.follow(key, Options.follow(0, Wait.DEADLINE))) {
      assertThat(in.readAllBytes()).isEqualTo(bytes);
    }
    assertThat(blobs.delete(key)).isTrue();
    assertThat(blobs.toString()).isNotBlank();
  }

  @ParameterizedTest
  @MethodSource("names")
  void schemaTableAndColumn_mayHaveAnyName(String name) throws Exception {
    String quoted = Sql.identifier(name);
    String table = quoted + "." + quoted;
    database.run(
        "CREATE SCHEMA " + quoted,
        "CREATE TABLE %s (%s text PRIMARY KEY)".formatted(table, quoted),
        "CREATE TABLE public.second (%s bigint NOT NULL, id int, PRIMARY KEY (%s, id))"
            .formatted(quoted, quoted),
        "INSERT INTO %s VALUES ('one'), ('two')".formatted(table),
        "INSERT INTO public.second VALUES (7, 1), (7, 2)");
    toaster.catalog().attach(ColumnName.of(name, name, "c"), BlobOptions.defaults());
    everyCall(toaster.blobs(ColumnName.of(name, name, "c")), "one", "two");
    assertThat(toaster.catalog().status())
        .anyMatch(s -> ColumnName.of(name, name, "c").equals(s.column()));

    String column = name.length() > 30 ? name.substring(0, 30) : name + "2";
    toaster.catalog().attach("second", column, BlobOptions.defaults().withLeadingKey(name));
    everyCall(toaster.blobs("second", column), List.of(7, 1), List.of(7, 2));
    Options.collect(database);
    database.run("DELETE FROM " + table, "TRUNCATE second");
    toaster.catalog().detach(ColumnName.of("second", column));
    toaster
        .catalog()
        .detach(ColumnName.of(name, name, "c"), DetachOptions.defaults().withDropContent(true));
    assertThat(toaster.catalog().status()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("names")
  void stockColumns_mayHaveAnyName(String name) throws Exception {
    String quoted = Sql.identifier(name);
    database.run(
        "CREATE TABLE %s (id int PRIMARY KEY, %s bytea)".formatted(quoted, quoted),
        "INSERT INTO %s VALUES (1)".formatted(quoted));
    BlobColumn blobs = toaster.blobs(name, name);
    blobs.append(1, Bytes.random(1, 100));
    blobs.write(1, 50, Bytes.random(2, 10));
    blobs.truncate(1, 70);
    assertThat(blobs.read(1, 0, 10)).isEqualTo(Bytes.slice(Bytes.random(1, 100), 0, 10));
    assertThat(blobs.delete(1)).isTrue();
  }

  @ParameterizedTest
  @MethodSource("names")
  void keys_mayHaveAnyText(String name) throws Exception {
    database.run(
        "CREATE TABLE item (id text PRIMARY KEY)",
        "INSERT INTO item VALUES (" + Sql.literal(name) + "), ('another')");
    toaster.catalog().attach("item", "content", BlobOptions.defaults());
    everyCall(toaster.blobs("item", "content"), name, "another");
  }

  @ParameterizedTest
  @MethodSource("names")
  void unknownNamesAndKeys_areRefused(String name) {
    database.run("CREATE TABLE item (id bigint PRIMARY KEY, content bigint, number int)");
    toaster.catalog().attach("item", "content", BlobOptions.defaults());
    byte[] bytes = {1};
    Expect.refused(
        ColumnNotFoundException.class, () -> toaster.blobs(name, "content").append(1, bytes));
    Expect.refused(
        ColumnNotFoundException.class,
        () -> toaster.blobs(ColumnName.of(name, "item", "content")).append(1, bytes));
    Expect.refused(
        ColumnNotFoundException.class, () -> toaster.blobs("item", name).append(1, bytes));
    Expect.refused(
        PgToasterException.class, () -> toaster.blobs("item", "content").append(name, bytes));
    Expect.refused(
        PgToasterException.class, () -> toaster.blobs("item", "content").read(name, 0, 1));
    Expect.refused(
        PgToasterException.class,
        () -> toaster.catalog().attach(ColumnName.of(name, name, name), ToasterOptions.of(name)));
    Expect.refused(
        PgToasterException.class,
        () -> toaster.catalog().attach("item", "other", ToasterOptions.of(name)));
    Expect.refused(
        PgToasterException.class,
        () ->
            toaster.catalog().attach("item", "other", BlobOptions.defaults().withLeadingKey(name)));
    Expect.refused(
        PgToasterException.class,
        () -> toaster.catalog().attach("item", "other", BlobOptions.defaults().withKeyIndex(name)));
    Expect.refused(
        PgToasterException.class,
        () ->
            toaster
                .catalog()
                .detach(
                    ColumnName.of(name, name, name),
                    DetachOptions.defaults().withDropContent(true)));
    assertThat(toaster.catalog().status()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "zero\0character"})
  void namesThatNoServerCanHave_areRefused(String name) {
    database.run("CREATE TABLE item (id text PRIMARY KEY)");
    toaster.catalog().attach("item", "content", BlobOptions.defaults());
    byte[] bytes = {1};
    Expect.refused(ColumnNotFoundException.class, () -> toaster.blobs(name, "c").append(1, bytes));
    Expect.refused(
        ColumnNotFoundException.class, () -> toaster.blobs("item", name).append(1, bytes));
    Expect.refused(
        RowNotFoundException.class, () -> toaster.blobs("item", "content").append(name, bytes));
    Expect.refused(
        PgToasterException.class,
        () -> toaster.catalog().attach("item", name, BlobOptions.defaults()));
  }

  @Test
  void namesLongerThanTheServersLimit_areRefused() {
    database.run("CREATE TABLE item (id text PRIMARY KEY)");
    Expect.refused(
        PgToasterException.class,
        () -> toaster.catalog().attach("item", "n".repeat(64), BlobOptions.defaults()));
    assertThat(toaster.catalog().status()).isEmpty();
    Expect.refused(
        ColumnNotFoundException.class,
        () -> toaster.blobs("n".repeat(64), "c").append(1, new byte[1]));
  }
}
