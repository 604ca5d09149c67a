package io.pgtoaster.it.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.blob.FollowOptions;
import io.pgtoaster.error.ColumnNotFoundException;
import io.pgtoaster.error.InvalidJsonException;
import io.pgtoaster.it.kit.Database;
import io.pgtoaster.it.kit.PostgresServers;
import io.pgtoaster.jsonb.DocumentColumn;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.sql.Blob;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.postgresql.ds.PGSimpleDataSource;

/** The mistakes of new users cause messages that say what to do. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class NextStepsIT {
  @AutoClose
  private final Database database = PostgresServers.shared(PostgresServers.newest()).installed();

  private BlobColumn blobs;
  private DocumentColumn documents;

  @BeforeAll
  void makeTable() {
    database.run(
        "CREATE TABLE item (id bigint PRIMARY KEY, content bigint, doc jsonb, plain bigint)",
        "SELECT pgtoaster.attach('item', 'content'), pgtoaster.attach('item', 'doc', 'keyed')",
        "INSERT INTO item (id) VALUES (1), (2)");
    PgToaster toaster = PgToaster.create(database.dataSource());
    blobs = toaster.blobs("item", "content");
    documents = toaster.documents("item", "doc");
  }

  private static String message(DataSource source) {
    return message(() -> PgToaster.create(source).blobs("item", "content").length(1));
  }

  private static String message(ThrowingCallable call) {
    Throwable thrown = catchThrowable(call);
    assertThat(thrown).isNotNull();
    return String.valueOf(thrown.getMessage());
  }

  private PGSimpleDataSource atPort(int port) throws SQLException {
    try (Connection c = database.connect()) {
      return database.dataSource(c.getMetaData().getUserName(), port);
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return free.getLocalPort();
    }
  }

  @Test
  void failuresOfTheFirstCall_haveDifferentMessages_withTheNextStep() throws Exception {
    List<String> messages = new ArrayList<>();
    messages.add(message(atPort(freePort())));
    assertThat(messages.get(0)).contains("check host and port");
    PGSimpleDataSource wrong = (PGSimpleDataSource) database.dataSource();
    wrong.setPassword("wrong");
    messages.add(message(wrong));
    assertThat(messages.get(1)).contains("check user, password");
    HikariConfig config = new HikariConfig();
    config.setDataSource(database.dataSource());
    config.setMaximumPoolSize(1);
    config.setConnectionTimeout(250);
    HikariDataSource pool = new HikariDataSource(config);
    try (Connection held = pool.getConnection()) {
      assertThat(held.isValid(5)).isTrue();
      messages.add(message(pool));
      assertThat(messages.get(2)).contains("enlarge the pool");
    }
    pool.close();
    messages.add(message(pool));
    assertThat(messages.get(3)).contains("is closed").contains("close it only after its last use");
    String role = database.name() + "_newcomer";
    Database empty = database.server().database();
    empty.run("CREATE ROLE " + role + " LOGIN");
    messages.add(message(() -> PgToaster.create(empty.dataSource(role)).catalog().install()));
    empty.run("DROP ROLE " + role);
    empty.close();
    assertThat(messages.get(4)).contains(role).contains("GRANT CREATE ON DATABASE");
    assertThat(new HashSet<>(messages)).hasSize(5);
  }

  @Test
  void byteOrderMark_isReported() {
    String json = "\uFEFF{\"a\": 1}";
    byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
    for (ThrowingCallable put :
        List.<ThrowingCallable>of(
            () -> documents.putJson(1, json),
            () -> documents.putJson(1, new StringReader(json)),
            () -> documents.putJson(1, new ByteArrayInputStream(bytes)),
            () -> documents.at(1, "a").setJson(json))) {
      assertThatThrownBy(put)
          .isInstanceOf(InvalidJsonException.class)
          .hasMessageContaining("byte order mark, U+FEFF")
          .hasMessageContaining("remove it");
    }
  }

  @Test
  void unattachedBigintColumn_isReportedWithTheCallToAttachIt() {
    BlobColumn plain = PgToaster.create(database.dataSource()).blobs("item", "plain");
    for (ThrowingCallable call :
        List.<ThrowingCallable>of(() -> plain.append(1, new byte[1]), () -> plain.length(1))) {
      assertThatThrownBy(call)
          .isInstanceOf(ColumnNotFoundException.class)
          .hasMessageContaining("item.plain is not attached")
          .hasMessageContaining("catalog().attach(\"item\", \"plain\", BlobOptions.defaults())");
    }
  }

  @Test
  void nullKey_isReported() {
    byte[] bytes = {1};
    Map<String, ThrowingCallable> calls =
        Map.ofEntries(
            Map.entry("append", () -> blobs.append(null, bytes)),
            Map.entry("append text", () -> blobs.appendText(null, "a")),
            Map.entry("append stream", () -> blobs.append(null, new ByteArrayInputStream(bytes))),
            Map.entry("appendStream", () -> blobs.appendStream(null).close()),
            Map.entry("length", () -> blobs.length(null)),
            Map.entry("info", () -> blobs.info(null)),
            Map.entry("read", () -> blobs.read(null, 0, 1)),
            Map.entry("readAll", () -> blobs.readAll(null, 1)),
            Map.entry("tail", () -> blobs.tail(null, 1)),
            Map.entry("open", () -> blobs.open(null)),
            Map.entry("inputStream", () -> blobs.inputStream(null).read()),
            Map.entry("reader", () -> blobs.reader(null).read()),
            Map.entry("writer", () -> blobs.writer(null).close()),
            Map.entry("channel", () -> blobs.channel(null).size()),
            Map.entry("follow", () -> blobs.follow(null, FollowOptions.defaults()).read()),
            Map.entry("write", () -> blobs.write(null, 0, bytes)),
            Map.entry("write stream", () -> blobs.write(null, 0, new ByteArrayInputStream(bytes))),
            Map.entry("replace", () -> blobs.replace(null, bytes)),
            Map.entry("truncate", () -> blobs.truncate(null, 0)),
            Map.entry("copy from", () -> blobs.copy(null, 1)),
            Map.entry("copy to", () -> blobs.copy(1, null)),
            Map.entry("delete", () -> blobs.delete(null)),
            Map.entry("seal", () -> blobs.seal(null)),
            Map.entry("compact", () -> blobs.compact(null)),
            Map.entry("verify", () -> blobs.verify(null)),
            Map.entry("sqlBlob", () -> blobs.sqlBlob(null).length()),
            Map.entry("at", () -> documents.at(null, "a").get()),
            Map.entry("put", () -> documents.putJson(null, "{}")),
            Map.entry("put stream", () -> documents.putJson(null, new ByteArrayInputStream(bytes))),
            Map.entry("put object", () -> documents.put(null, Map.of())),
            Map.entry("insert", () -> documents.insert(null, Map.of())),
            Map.entry("merge", () -> documents.merge(null, Map.of())),
            Map.entry("patch", () -> documents.patch(null, List.of())),
            Map.entry("load", () -> documents.load(null)),
            Map.entry("text", () -> documents.text(null)),
            Map.entry("stream", () -> documents.stream(null)),
            Map.entry("stat", () -> documents.stat(null)),
            Map.entry("verify document", () -> documents.verify(null)),
            Map.entry("clear", () -> documents.clear(null)),
            Map.entry("lock", () -> documents.lock(null)),
            Map.entry("compact document", () -> documents.compact(null)),
            Map.entry(
                "getAll", () -> documents.getAll(Collections.<Long>singletonList(null), "a")));
    List<String> wrong = new ArrayList<>();
    calls.forEach(
        (name, call) -> {
          Throwable thrown = catchThrowable(call);
          if (!(thrown instanceof IllegalArgumentException)
              || !String.valueOf(thrown.getMessage()).matches("(key|from|to).* is null.*")) {
            wrong.add(name + ": " + thrown);
          }
        });
    assertThat(wrong).isEmpty();
  }

  @Test
  void gapInAnSqlBlob_isReportedWithPositions() throws Exception {
    Blob blob = blobs.sqlBlob(2);
    blob.setBytes(1, new byte[10]);
    assertThatThrownBy(() -> blob.setBytes(12, new byte[1]))
        .isInstanceOf(SQLException.class)
        .hasMessage("position 12 is beyond the end; write at position 11 or before");
    OutputStream behind = blob.setBinaryStream(12);
    behind.write(1);
    assertThatThrownBy(behind::flush)
        .isInstanceOf(IOException.class)
        .hasMessage("position 12 is beyond the end; write at position 11 or before");
    assertThat(blob.length()).isEqualTo(10);
  }
}
