package io.pgtoaster.it.blob;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.DetachOptions;
import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.blob.BlobOptions;
import io.pgtoaster.column.ColumnName;
import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.error.InvalidKeyException;
import io.pgtoaster.error.RowNotFoundException;
import io.pgtoaster.it.kit.Database;
import io.pgtoaster.it.kit.Documents;
import io.pgtoaster.it.kit.Expect;
import io.pgtoaster.it.kit.Setting;
import io.pgtoaster.jsonb.DocumentColumn;
import io.pgtoaster.jsonb.JsonOptions;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Key columns of types that only the server can parse. */
@Tag("ci")
@Tag("turn-2")
@ParameterizedClass
@MethodSource("io.pgtoaster.it.kit.Setting#newestByBoth")
class KeyTypesIT {
  private static final UUID ID = new UUID(1, 2);

  /** For each type of a key column: a value, a value that no row has, and an invalid value. */
  private static final Map<String, List<Object>> TYPES =
      Map.of(
          "date", List.of(LocalDate.EPOCH, "2020-02-29", "2020-02-30"),
          "timestamptz", List.of("2020-01-01 00:00Z", "2020-01-02 00:00Z", "yesterdayish"),
          "boolean", List.of(true, false, "maybe"),
          "interval", List.of("1 day", "2 days", ID),
          "inet", List.of("10.0.0.1", "10.0.0.2", "10.0.0.256"),
          "float8", List.of(1.5, 2.5, "1e999"),
          "mood", List.of("good", "bad", "ugly"),
          "counted", List.of(5, 6, "five"));

  @Parameter Setting setting;

  @AutoClose private Database database;
  private PgToaster toaster;

  @BeforeEach
  void install() throws Exception {
    database = setting.installed();
    toaster = PgToaster.create(database.dataSource());
    if (!setting.extension()) {
      toaster = toaster.withoutExtension();
    }
    database.run("CREATE TYPE mood AS ENUM ('good', 'bad')", "CREATE DOMAIN counted AS integer");
  }

  @Test
  void valueThatTheServerRefuses_isAnInvalidKey() {
    TYPES.forEach(
        (type, values) -> {
          database.run(
              "DROP TABLE IF EXISTS item",
              "CREATE TABLE item (part integer, id "
                  + type
                  + ", content bigint, doc jsonb, plain bytea, PRIMARY KEY (part, id))",
              "INSERT INTO item (part, id) VALUES (1, '" + values.get(0) + "')");
          toaster.catalog().attach("item", "content", BlobOptions.defaults());
          toaster.catalog().attach("item", "doc", JsonOptions.defaults());
          Object good = List.of(1, values.get(0));
          Object unknown = List.of(1, values.get(1));
          Object wrong = List.of(1, values.get(2));
          BlobColumn blobs = toaster.blobs("item", "content");
          BlobColumn plain = toaster.blobs("item", "plain");
          DocumentColumn documents = toaster.documents("item", "doc");
          documents.putJson(good, Documents.big(30));
          for (BlobColumn each : List.of(blobs, plain)) {
            each.append(good, new byte[3]);
            Expect.refused(RowNotFoundException.class, () -> each.length(unknown));
            assertNamed(type, () -> each.append(wrong, new byte[3]));
            assertNamed(type, () -> each.append(wrong, new byte[30_000]));
            assertNamed(type, () -> each.read(wrong, 0, 1));
            assertNamed(type, () -> each.open(wrong));
            assertNamed(type, () -> each.truncate(wrong, 0));
            assertNamed(type, () -> each.copy(good, wrong));
          }
          assertNamed(type, () -> documents.at(wrong, "a").get());
          assertNamed(type, () -> documents.at(wrong, "a").set(1));
          assertNamed(type, () -> documents.putJson(wrong, "{}"));
          assertNamed(type, () -> documents.stream(wrong));
          assertNamed(type, () -> documents.getAll(List.of(good, wrong), DocumentPath.root()));
          assertThat(blobs.length(good)).isEqualTo(3);
          toaster
              .catalog()
              .detach(
                  ColumnName.of("item", "content"), DetachOptions.defaults().withDropContent(true));
          toaster
              .catalog()
              .detach(ColumnName.of("item", "doc"), DetachOptions.defaults().withDropContent(true));
        });
  }

  private static void assertNamed(String type, ThrowingCallable call) {
    InvalidKeyException e = Expect.refused(InvalidKeyException.class, call);
    String name = type.equals("boolean") ? "bool" : type;
    assertThat(e)
        .hasMessageContaining("item.")
        .hasMessageMatching(".*key column \"id\" has the type (public\\.)?" + name + ", .*");
    assertThat(e.sqlState()).startsWith("22");
    assertThat(e.getCause()).isNull();
  }
}
