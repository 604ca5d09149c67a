package io.pgtoaster.benchmarks.question;

import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ChatMessageDeserializer;
import dev.langchain4j.data.message.ChatMessageSerializer;
import dev.langchain4j.store.memory.chat.ChatMemoryStore;
import io.pgtoaster.PgToaster;
import io.pgtoaster.benchmarks.server.Backend;
import io.pgtoaster.benchmarks.server.Database;
import io.pgtoaster.benchmarks.server.Kind;
import io.pgtoaster.benchmarks.server.Sql;
import io.pgtoaster.column.ColumnName;
import io.pgtoaster.langchain4j.PgToasterChatMemoryStore;
import io.pgtoaster.langgraph4j.PgToasterCheckpointSaver;
import io.pgtoaster.springai.PgToasterChatMemoryRepository;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import org.bsc.langgraph4j.RunnableConfig;
import org.bsc.langgraph4j.checkpoint.BaseCheckpointSaver;
import org.bsc.langgraph4j.checkpoint.Checkpoint;
import org.bsc.langgraph4j.serializer.StateSerializer;
import org.bsc.langgraph4j.serializer.std.ObjectStreamStateSerializer;
import org.bsc.langgraph4j.state.AgentState;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.ai.chat.memory.ChatMemoryRepository;
import org.springframework.ai.chat.memory.repository.jdbc.JdbcChatMemoryRepository;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/**
 * Adds turns of two messages to conversations of different lengths, with this project's chat memory
 * stores and with the frameworks' own. Prints the rows of a table.
 */
final class ChatMemories {
  private static final int CONVERSATIONS = 4;

  /** During these turns, the last leaf of a document becomes full and is cut. */
  private static final int TURNS = 10;

  private static final int WARM_UP = 2;
  private static final int READS = 3;

  /** Number of runs that warm up this JVM. */
  private static final int WARM_UP_RUNS = 5;

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private static final StateSerializer<AgentState> SERIALIZER =
      new ObjectStreamStateSerializer<>(AgentState::new);

  private interface Opening {
    Store open(Connection session, List<String> texts) throws Exception;
  }

  private static final Map<String, Opening> CONTENDERS = new LinkedHashMap<>();

  static {
    CONTENDERS.put("Spring AI, JDBC", ChatMemories::springAiJdbc);
    CONTENDERS.put("Spring AI, pgtoaster", ChatMemories::springAi);
    CONTENDERS.put("LangChain4j, one text", ChatMemories::oneText);
    CONTENDERS.put("LangChain4j, pgtoaster", ChatMemories::langChain4j);
    CONTENDERS.put("LangGraph4j, Base64", ChatMemories::base64);
    CONTENDERS.put("LangGraph4j, pgtoaster", ChatMemories::langGraph4j);
  }

  private ChatMemories() {}

  /** Measures conversations of these lengths, in messages. */
  public static void run(List<Integer> lengths) throws Exception {
    for (String contender : CONTENDERS.keySet()) {
      for (int i = 0; i < WARM_UP_RUNS; i++) {
        measure(contender, 200, false);
      }
    }
    tell("| Messages | Store | WAL, kB | CPU, ms | Round trips | Reading, CPU, ms |");
    tell("|---|---|---|---|---|---|");
    for (int length : lengths) {
      for (String contender : CONTENDERS.keySet()) {
        measure(contender, length, true);
      }
    }
  }

  /** Prints the mean cost of a turn, and of reading a whole conversation. */
  private static void measure(String contender, int length, boolean print) throws Exception {
    int most = length + CONVERSATIONS + 2 * (TURNS + WARM_UP);
    try (Database database = Database.create(Kind.PLAIN);
        Connection session = connect(database)) {
      Opening opening = Objects.requireNonNull(CONTENDERS.get(contender));
      Store store = opening.open(session, texts(most));
      Backend backend = database.backend(session);
      Total turns = new Total();
      Total reads = new Total();
      for (int i = 0; i < CONVERSATIONS; i++) {
        String id = "conversation " + i;
        int start = length + i;
        store.write.run(id, start);
        for (int turn = 1; turn <= WARM_UP; turn++) {
          store.write.run(id, start + 2 * turn);
        }
        int warm = start + 2 * WARM_UP;
        turns.add(backend, TURNS, turn -> store.write.run(id, warm + 2 * turn));
        int all = warm + 2 * TURNS;
        reads.add(backend, READS, read -> Trial.equal(contender, all, store.read.size(id)));
      }
      if (print) {
        tell(
            "| %,d | %s | %,.1f | %,.1f | %.1f | %,.1f |",
            length,
            contender,
            turns.wal / 1e3 / turns.calls,
            turns.nanos / 1e6 / turns.calls,
            (double) turns.trips / turns.calls,
            reads.nanos / 1e6 / reads.calls);
      }
    }
  }

  @FunctionalInterface
  private interface Call {
    void run(int number) throws Exception;
  }

  /** The cost of some calls. */
  private static final class Total {
    private int calls;
    private long wal;
    private long trips;

    /**
     * The processor time of this thread and the session, which other processes hardly influence.
     */
    private long nanos;

    /** Runs calls 1 to {@code times}. */
    void add(Backend backend, int times, Call call) throws Exception {
      Backend.Cost cost =
          backend.of(
              () -> {
                long before = THREADS.getCurrentThreadCpuTime();
                for (int number = 1; number <= times; number++) {
                  call.run(number);
                }
                nanos += THREADS.getCurrentThreadCpuTime() - before;
              });
      calls += times;
      wal += cost.wal();
      trips += cost.trips();
      nanos += cost.nanos();
    }
  }

  /** Uses the driver's setting that makes batches of inserts fastest. */
  private static Connection connect(Database database) throws SQLException {
    PGSimpleDataSource source = (PGSimpleDataSource) database.dataSource();
    source.setReWriteBatchedInserts(true);
    Connection session = source.getConnection();
    Sql.run(session, "SET search_path = bench, public");
    return session;
  }

  /** Returns texts of 200 bytes. */
  private static List<String> texts(int count) {
    Random random = new Random(1);
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      StringBuilder text = new StringBuilder();
      while (text.length() < 200) {
        text.append('w').append((int) (5000 * Math.pow(random.nextDouble(), 3))).append(' ');
      }
      texts.add(text.substring(0, 200));
    }
    return texts;
  }

  @SuppressWarnings("AnnotateFormatMethod") // @FormatMethod needs another library
  private static void tell(String format, Object... values) {
    System.out.println(String.format(Locale.ROOT, format, values));
  }

  /** Stores the first messages of a list as a conversation. */
  private interface Write {
    void run(String id, int messages) throws Exception;
  }

  /** Reads a conversation and returns the number of its messages. */
  private interface Read {
    int size(String id) throws Exception;
  }

  private record Store(Write write, Read read) {}

  private static Store of(ChatMemoryRepository repository, List<String> texts) {
    List<Message> all =
        messages(texts, (text, user) -> user ? new UserMessage(text) : new AssistantMessage(text));
    return new Store(
        (id, messages) -> repository.saveAll(id, all.subList(0, messages)),
        id -> repository.findByConversationId(id).size());
  }

  /** Messages of a user and of an assistant take turns. */
  private static <M> List<M> messages(List<String> texts, BiFunction<String, Boolean, M> made) {
    return IntStream.range(0, texts.size())
        .mapToObj(i -> made.apply(texts.get(i), i % 2 == 0))
        .toList();
  }

  private static Store springAi(Connection session, List<String> texts) {
    SingleConnectionDataSource source = new SingleConnectionDataSource(session, true);
    PgToaster toaster = PgToaster.create(source);
    ColumnName column = ColumnName.of("bench", "spring_ai", "conversation");
    PgToasterChatMemoryRepository.createTable(toaster, source, column);
    return of(new PgToasterChatMemoryRepository(toaster, source, column), texts);
  }

  /** Spring AI's own repository with its own table. */
  private static Store springAiJdbc(Connection session, List<String> texts) throws Exception {
    try (InputStream schema =
        JdbcChatMemoryRepository.class.getResourceAsStream("schema-postgresql.sql")) {
      byte[] sql = Objects.requireNonNull(schema).readAllBytes();
      Sql.run(session, new String(sql, StandardCharsets.UTF_8));
    }
    SingleConnectionDataSource source = new SingleConnectionDataSource(session, true);
    return of(JdbcChatMemoryRepository.builder().dataSource(source).build(), texts);
  }

  private static List<ChatMessage> langChain4jMessages(List<String> texts) {
    return messages(
        texts,
        (text, user) ->
            user
                ? dev.langchain4j.data.message.UserMessage.from(text)
                : dev.langchain4j.data.message.AiMessage.from(text));
  }

  private static Store langChain4j(Connection session, List<String> texts) {
    SingleConnectionDataSource source = new SingleConnectionDataSource(session, true);
    ColumnName column = ColumnName.of("bench", "langchain4j", "conversation");
    PgToasterChatMemoryStore.createTable(source, column.table());
    ChatMemoryStore store = PgToasterChatMemoryStore.of(PgToaster.create(source), source, column);
    List<ChatMessage> all = langChain4jMessages(texts);
    return new Store(
        (id, messages) -> store.updateMessages(id, all.subList(0, messages)),
        id -> store.getMessages(id).size());
  }

  /**
   * Does what LangChain4j's SQL store does: it replaces a text with all messages. No release of
   * that store is on Maven Central.
   */
  private static Store oneText(Connection session, List<String> texts) throws Exception {
    Sql.run(session, "CREATE TABLE bench.whole (id text PRIMARY KEY, content text NOT NULL)");
    List<ChatMessage> all = langChain4jMessages(texts);
    String upsert =
        "INSERT INTO bench.whole VALUES (?, ?)"
            + " ON CONFLICT (id) DO UPDATE SET content = excluded.content";
    String select = "SELECT content FROM bench.whole WHERE id = ?";
    return new Store(
        (id, messages) ->
            Sql.update(
                session,
                upsert,
                id,
                ChatMessageSerializer.messagesToJson(all.subList(0, messages))),
        id ->
            ChatMessageDeserializer.messagesFromJson(Sql.get(session, String.class, select, id))
                .size());
  }

  private static Store langGraph4j(Connection session, List<String> texts) {
    SingleConnectionDataSource source = new SingleConnectionDataSource(session, true);
    PgToasterCheckpointSaver.createTable(source, "checkpoint");
    BaseCheckpointSaver saver = PgToasterCheckpointSaver.of(source, "checkpoint", SERIALIZER);
    return new Store(
        (id, messages) ->
            saver.put(
                RunnableConfig.builder().threadId(id).build(),
                Checkpoint.builder()
                    .nodeId("agent")
                    .nextNodeId("tools")
                    .state(state(texts, messages))
                    .build()),
        id ->
            size(
                saver.get(RunnableConfig.builder().threadId(id).build()).orElseThrow().getState()));
  }

  private static Map<String, Object> state(List<String> texts, int messages) {
    return Map.of("messages", texts.subList(0, messages), "steps", messages);
  }

  private static int size(Map<String, Object> state) {
    return ((List<?>) Objects.requireNonNull(state.get("messages"))).size();
  }

  /**
   * Stores what LangGraph4j's saver for PostgreSQL stores: a row with a whole state, as Base64 text
   * in {@code jsonb}. No current release of that saver is on Maven Central.
   */
  private static Store base64(Connection session, List<String> texts) throws Exception {
    Sql.run(
        session,
        "CREATE TABLE bench.base64 (id uuid PRIMARY KEY, thread text, node text, next text,"
            + " state jsonb, saved timestamptz DEFAULT clock_timestamp());"
            + " CREATE INDEX ON bench.base64 (thread, saved DESC)");
    String insert = "INSERT INTO bench.base64 VALUES (?, ?, 'agent', 'tools', ?::jsonb)";
    String select =
        "SELECT state->>'bytes' FROM bench.base64 WHERE thread = ? ORDER BY saved DESC LIMIT 1";
    return new Store(
        (id, messages) -> {
          byte[] bytes = SERIALIZER.dataToBytes(state(texts, messages));
          String json = "{\"bytes\": \"" + Base64.getEncoder().encodeToString(bytes) + "\"}";
          Sql.update(session, insert, UUID.randomUUID(), id, json);
        },
        id -> {
          String text = Objects.requireNonNull(Sql.get(session, String.class, select, id));
          return size(SERIALIZER.dataFromBytes(Base64.getDecoder().decode(text)));
        });
  }
}
