package io.pgtoaster.chatmemory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.PgToaster;
import io.pgtoaster.column.ColumnName;
import io.pgtoaster.embedded.EmbeddedPostgres;
import io.pgtoaster.embedded.Home;
import io.pgtoaster.embedded.PostgresBinaries;
import io.pgtoaster.error.InvalidJsonException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

class ConversationsIT {
  private static final ColumnName COLUMN = ColumnName.of("chat", "conversation");

  @AutoClose private static EmbeddedPostgres postgres;
  private static PGSimpleDataSource dataSource;
  private static PgToaster toaster;

  private final Conversations conversations = open();

  @BeforeAll
  static void start() {
    postgres =
        EmbeddedPostgres.builder(PostgresBinaries.fromClasspath(Home.cacheDirectory()))
            .temporary()
            .setting("fsync", "off")
            .setting("full_page_writes", "off")
            .setting("autovacuum", "off")
            .start();
    dataSource = new PGSimpleDataSource();
    dataSource.setURL(postgres.jdbcUrlWithPassword("postgres"));
    toaster = PgToaster.create(dataSource);
    toaster.catalog().install();
    Conversations.createTable(toaster, RowStatements.on(dataSource), COLUMN);
    Conversations.createTable(toaster, RowStatements.on(dataSource), COLUMN);
  }

  /** A separate store, like one in another JVM. */
  private static Conversations open() {
    return new Conversations(toaster, RowStatements.on(dataSource), COLUMN);
  }

  private static JsonNode message(String text) {
    return JsonNodeFactory.instance.objectNode().put("type", "USER").put("text", text);
  }

  private static List<JsonNode> messages(String... texts) {
    return Stream.of(texts).map(ConversationsIT::message).toList();
  }

  private static List<JsonNode> numbered(int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> message(i + " " + "word ".repeat(40))).toList();
  }

  private static List<JsonNode> plus(List<JsonNode> messages, JsonNode... more) {
    List<JsonNode> all = new ArrayList<>(messages);
    all.addAll(List.of(more));
    return all;
  }

  /** Returns an id that PostgreSQL cannot compress. */
  private static String incompressible(int bytes) {
    return new Random(5)
        .ints(bytes, '0', 'z')
        .mapToObj(Character::toString)
        .collect(Collectors.joining());
  }

  private static String value(String query) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      rows.next();
      return rows.getString(1);
    }
  }

  @Test
  void messages_areReadBackInOrder() {
    conversations.write("order", messages("a", "b", "a"));
    assertThat(open().read("order")).isEqualTo(messages("a", "b", "a"));

    conversations.write("order", messages("a", "b", "a", "a"));
    assertThat(open().read("order")).isEqualTo(messages("a", "b", "a", "a"));
  }

  @Test
  void window_slides() {
    List<JsonNode> all = numbered(0, 400);
    JsonNode system = message("be brief");
    for (int end : List.of(100, 101, 103, 250, 399, 400)) {
      List<JsonNode> window = new ArrayList<>(List.of(system));
      window.addAll(all.subList(end - 100, end));
      conversations.write("window", window);
      assertThat(open().read("window")).isEqualTo(window);
    }
    List<JsonNode> summary = plus(messages("be brief", "a summary"), all.get(399), all.get(7));
    conversations.write("window", summary);
    assertThat(open().read("window")).isEqualTo(summary);
  }

  @Test
  void messageInTheMiddle_isInsertedOrReplaced() {
    conversations.write("middle", messages("a", "b", "c", "d"));
    conversations.write("middle", messages("a", "x", "y", "b", "C", "d", "e"));
    assertThat(open().read("middle")).isEqualTo(messages("a", "x", "y", "b", "C", "d", "e"));
  }

  @Test
  void unchangedMessages_areNotWritten() throws SQLException {
    conversations.write("same", messages("a", "b"));
    String before = value("SELECT conversation ->> 'version' FROM chat WHERE id = 'same'");
    conversations.write("same", messages("a", "b"));
    open().write("same", messages("a", "b"));
    assertThat(value("SELECT conversation ->> 'version' FROM chat WHERE id = 'same'"))
        .isEqualTo(before);
  }

  @Test
  void unknownConversation_isEmpty_andCanBeDeleted() {
    assertThat(conversations.read("nobody")).isEmpty();
    conversations.delete("nobody");
    assertThat(conversations.ids()).doesNotContain("nobody");
  }

  @Test
  void emptyList_deletesTheConversation() {
    conversations.write("gone", messages("a"));
    assertThat(conversations.ids()).contains("gone");
    conversations.write("gone", List.of());
    assertThat(conversations.ids()).doesNotContain("gone");
    assertThat(conversations.read("gone")).isEmpty();
    conversations.write("gone", messages("b"));
    assertThat(open().read("gone")).isEqualTo(messages("b"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "'; DROP TABLE chat; --", "Grüße 🎉", "2600"})
  void anyId_canBeUsed(String given) {
    String id = given.equals("2600") ? incompressible(2600) : given;
    conversations.write(id, messages("a"));
    assertThat(open().read(id)).isEqualTo(messages("a"));
    assertThat(conversations.ids()).contains(id);
    conversations.delete(id);
    assertThat(open().read(id)).isEmpty();
  }

  @Test
  void idThatCannotBeAKey_isRejected() {
    assertThatThrownBy(() -> conversations.write("x".repeat(2601), messages("a")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("2601 bytes; the maximum is 2600");
    assertThatThrownBy(() -> conversations.read("a\0b"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("zero character");
  }

  @Test
  void textThatPostgresCannotStore_isRejected_andNothingChanges() {
    conversations.write("zero", messages("a"));
    assertThatThrownBy(() -> conversations.write("zero", messages("a", "b\0")))
        .isInstanceOf(InvalidJsonException.class);
    conversations.write("zero", messages("a", "b"));
    assertThat(open().read("zero")).isEqualTo(messages("a", "b"));
  }

  @Test
  void floatingPointNumbers_keepTheirType() {
    JsonNode message = Conversations.parse("{\"a\": [1.0E10, 2.5, 3, 1e-7], \"b\": {\"c\": -0.0}}");
    conversations.write("numbers", List.of(message));
    JsonNode read = open().read("numbers").get(0);
    assertThat(read.path("a").get(0).isFloatingPointNumber()).isTrue();
    assertThat(read.path("a").get(0).doubleValue()).isEqualTo(1.0E10);
    assertThat(read.path("a").get(2).isIntegralNumber()).isTrue();
    assertThat(read.path("b").path("c").isFloatingPointNumber()).isTrue();

    open().write("numbers", List.of(message)); // the hash is the same
    assertThat(open().read("numbers").get(0)).isEqualTo(read);
  }

  @Test
  void rowsWrittenByOtherPrograms_areContinued() throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "INSERT INTO chat VALUES ('null', NULL), ('plain', '{\"messages\": [{\"text\": 1}]}')");
    }
    conversations.write("null", messages("a"));
    assertThat(open().read("null")).isEqualTo(messages("a"));
    List<JsonNode> more = plus(conversations.read("plain"), message("b"));
    conversations.write("plain", more);
    assertThat(open().read("plain")).isEqualTo(more);
  }

  @Test
  void twoStores_thatReadTheSame_keepTheMessagesOfBoth() {
    conversations.write("two", messages("a"));
    Conversations other = open();
    List<JsonNode> seenHere = conversations.read("two");
    List<JsonNode> seenThere = other.read("two");

    conversations.write("two", plus(seenHere, message("b")));
    other.write("two", plus(seenThere, message("c")));
    assertThat(open().read("two")).isEqualTo(messages("a", "b", "c"));

    conversations.write("two", messages("a", "b", "d")); // without reading again
    assertThat(open().read("two")).isEqualTo(messages("a", "b", "c", "d"));
  }

  @Test
  void twoThreads_ofOneStore_keepTheMessagesOfBoth() throws Exception {
    conversations.write("threads", messages("a"));
    List<JsonNode> seen = conversations.read("threads");
    inAnotherThread(
        () -> conversations.write("threads", plus(conversations.read("threads"), message("b"))));
    conversations.write("threads", plus(seen, message("c")));
    assertThat(open().read("threads")).isEqualTo(messages("a", "b", "c"));
  }

  @Test
  void writerThatHasNotRead_replacesTheMessages() {
    conversations.write("replace", messages("a", "b"));
    open().write("replace", messages("x"));
    assertThat(open().read("replace")).isEqualTo(messages("x"));
  }

  @Test
  void conversationDeletedMeanwhile_hasOnlyTheNewMessages() {
    conversations.write("deleted", messages("a"));
    List<JsonNode> seen = conversations.read("deleted");
    open().delete("deleted");
    conversations.write("deleted", plus(seen, message("b")));
    assertThat(open().read("deleted")).isEqualTo(messages("b"));
  }

  /** The other thread has deleted the conversation through the same store. */
  @Test
  void conversationDeletedByAnotherThread_hasOnlyTheNewMessages() throws Exception {
    conversations.write("deleted here", messages("a"));
    List<JsonNode> seen = conversations.read("deleted here");
    inAnotherThread(() -> conversations.delete("deleted here"));
    conversations.write("deleted here", seen);
    assertThat(conversations.ids()).doesNotContain("deleted here");
    conversations.write("deleted here", plus(seen, message("b")));
    assertThat(open().read("deleted here")).isEqualTo(messages("b"));
  }

  @Test
  void messageRemovedByAnotherThread_isNotStoredAgain() throws Exception {
    conversations.write("removed", messages("secret", "a"));
    List<JsonNode> seen = conversations.read("removed");
    inAnotherThread(
        () -> {
          List<JsonNode> all = conversations.read("removed");
          conversations.write("removed", all.subList(1, 2));
        });
    conversations.write("removed", plus(seen, message("b")));
    assertThat(open().read("removed")).isEqualTo(messages("a", "b"));
  }

  @Test
  void equalMessages_ofTwoThreads_areBothKept() throws Exception {
    conversations.write("equal", messages("a"));
    List<JsonNode> seen = conversations.read("equal");
    inAnotherThread(
        () -> conversations.write("equal", plus(conversations.read("equal"), message("yes"))));
    conversations.write("equal", plus(seen, message("yes")));
    assertThat(open().read("equal")).isEqualTo(messages("a", "yes", "yes"));
  }

  private static void inAnotherThread(Runnable work) throws Exception {
    ExecutorService executor = Executors.newSingleThreadExecutor();
    try {
      executor.submit(work).get();
    } finally {
      executor.shutdown();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 12})
  void concurrentWriters_loseNothing(int stores) throws Exception {
    String id = "race" + stores;
    int writers = Math.max(3, stores);
    int turns = 24 / writers;
    List<Conversations> open = IntStream.range(0, stores).mapToObj(i -> open()).toList();
    ExecutorService executor = Executors.newFixedThreadPool(writers);
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int writer = 0; writer < writers; writer++) {
        String name = "writer " + writer + ", turn ";
        Conversations mine = open.get(writer % stores);
        running.add(
            executor.submit(
                () -> {
                  for (int turn = 0; turn < turns; turn++) {
                    mine.write(id, plus(mine.read(id), message(name + turn)));
                  }
                }));
      }
      for (Future<?> future : running) {
        future.get();
      }
    } finally {
      executor.shutdown();
    }
    List<String> texts =
        open().read(id).stream().map(message -> message.path("text").asString()).toList();
    assertThat(texts).hasSize(writers * turns).doesNotHaveDuplicates();
    for (int writer = 0; writer < writers; writer++) {
      String name = "writer " + writer + ", turn ";
      assertThat(texts.stream().filter(text -> text.startsWith(name)))
          .containsExactlyElementsOf(
              IntStream.range(0, turns).mapToObj(turn -> name + turn).toList());
    }
  }

  /** Set {@code -Dchat.seconds=60} for a longer run. */
  @Test
  void twoProcesses_loseNothing() throws Exception {
    long seconds = Long.getLong("chat.seconds", 3);
    List<String> names = List.of("a", "b");
    List<Process> processes = new ArrayList<>();
    try {
      for (String name : names) {
        ProcessBuilder builder =
            new ProcessBuilder(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-cp",
                    System.getProperty("java.class.path"),
                    Appender.class.getName(),
                    COLUMN.table(),
                    "processes",
                    name,
                    Long.toString(seconds))
                .redirectErrorStream(true);
        builder.environment().put(Appender.URL, postgres.jdbcUrlWithPassword("postgres"));
        processes.add(builder.start());
      }
      List<String> wanted = new ArrayList<>();
      List<String> read = new ArrayList<>();
      for (int i = 0; i < names.size(); i++) {
        String output =
            new String(processes.get(i).getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(processes.get(i).waitFor()).as("%s", output).isZero();
        String name = names.get(i);
        int turns = Integer.parseInt(output.strip());
        assertThat(turns).isPositive();
        IntStream.range(0, turns).forEach(turn -> wanted.add(name + turn));
      }
      List<String> all =
          open().read("processes").stream()
              .map(message -> message.path("text").asString())
              .toList();
      names.forEach(name -> all.stream().filter(text -> text.startsWith(name)).forEach(read::add));
      assertThat(read).isEqualTo(wanted);
      assertThat(all).hasSameSizeAs(wanted);
    } finally {
      processes.forEach(Process::destroyForcibly);
    }
  }

  /** Measures bytes, not time. The result depends on how full the last leaf is. */
  @Test
  void turn_writesAFewKilobytes_whateverTheLengthOfTheConversation() throws SQLException {
    assertThat(walOfATurn("append10", 10, false)).isLessThan(2_500);
    assertThat(walOfATurn("append1000", 1_000, false)).isLessThan(2_500);
    assertThat(walOfATurn("append5000", 5_000, false)).isLessThan(2_500);
  }

  @Test
  void movingWindow_writesAFewKilobytes_whateverItsLength() throws SQLException {
    assertThat(walOfATurn("window10", 10, true)).isLessThan(2_000);
    assertThat(walOfATurn("window1000", 1_000, true)).isLessThan(5_000);
    assertThat(walOfATurn("window5000", 5_000, true)).isLessThan(6_000);
  }

  /** Returns the mean WAL of a turn of two messages, in bytes. */
  private long walOfATurn(String id, int length, boolean window) throws SQLException {
    int turns = 30;
    List<JsonNode> all = numbered(0, length + 2 * turns);
    conversations.write(id, all.subList(0, length));
    long before = wal();
    for (int turn = 1; turn <= turns; turn++) {
      int end = length + 2 * turn;
      conversations.write(id, all.subList(window ? end - length : 0, end));
    }
    return (wal() - before) / turns;
  }

  private static long wal() throws SQLException {
    return Long.parseLong(value("SELECT pg_current_wal_insert_lsn() - '0/0'"));
  }
}
