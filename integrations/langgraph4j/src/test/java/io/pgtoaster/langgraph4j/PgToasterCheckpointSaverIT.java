package io.pgtoaster.langgraph4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.bsc.langgraph4j.action.AsyncEdgeAction.edge_async;
import static org.bsc.langgraph4j.action.AsyncNodeAction.node_async;

import io.pgtoaster.PgToaster;
import io.pgtoaster.column.ColumnName;
import io.pgtoaster.embedded.EmbeddedPostgres;
import io.pgtoaster.embedded.Home;
import io.pgtoaster.embedded.PostgresBinaries;
import io.pgtoaster.error.InvalidJsonException;
import io.pgtoaster.internal.column.ColumnAccess;
import io.pgtoaster.jsonb.JsonOptions;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.bsc.langgraph4j.CompileConfig;
import org.bsc.langgraph4j.CompiledGraph;
import org.bsc.langgraph4j.GraphInput;
import org.bsc.langgraph4j.NodeOutput;
import org.bsc.langgraph4j.RunnableConfig;
import org.bsc.langgraph4j.StateGraph;
import org.bsc.langgraph4j.checkpoint.BaseCheckpointSaver;
import org.bsc.langgraph4j.checkpoint.Checkpoint;
import org.bsc.langgraph4j.checkpoint.MemorySaver;
import org.bsc.langgraph4j.prebuilt.MessagesState;
import org.bsc.langgraph4j.serializer.StateSerializer;
import org.bsc.langgraph4j.serializer.plain_text.jackson.JacksonStateSerializer;
import org.bsc.langgraph4j.serializer.std.ObjectStreamStateSerializer;
import org.bsc.langgraph4j.state.AgentState;
import org.bsc.langgraph4j.state.StateSnapshot;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.postgresql.ds.PGSimpleDataSource;

class PgToasterCheckpointSaverIT {
  @AutoClose private static EmbeddedPostgres postgres;
  private static PGSimpleDataSource dataSource;

  private static final StateSerializer<?> OBJECTS =
      new ObjectStreamStateSerializer<>(AgentState::new);
  private static final StateSerializer<?> JSON =
      new JacksonStateSerializer<AgentState>(AgentState::new) {};

  private static List<StateSerializer<?>> serializers() {
    return List.of(OBJECTS, JSON);
  }

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
    PgToasterCheckpointSaver.createTable(dataSource, "agent");
  }

  /** A separate saver, like one in another JVM. */
  private static PgToasterCheckpointSaver open(StateSerializer<?> serializer) {
    return PgToasterCheckpointSaver.of(dataSource, "agent", serializer);
  }

  private static RunnableConfig thread(String id) {
    return RunnableConfig.builder().threadId(id).build();
  }

  private static Checkpoint checkpoint(String node, Map<String, Object> state) {
    return Checkpoint.builder().nodeId(node).nextNodeId("after " + node).state(state).build();
  }

  /** What a checkpoint contains, for comparison. */
  private record Contents(String id, String node, String next, Map<String, Object> state) {
    static Contents of(Checkpoint found) {
      return new Contents(
          found.getId(), found.getNodeId(), found.getNextNodeId(), found.getState());
    }

    static List<Contents> of(Collection<Checkpoint> found) {
      return found.stream().map(Contents::of).toList();
    }
  }

  private static long query(String sql) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    }
  }

  /** Random states, and the same calls of a saver in memory. */
  @ParameterizedTest
  @MethodSource("serializers")
  void savers_answerLikeTheOneInMemory(StateSerializer<?> serializer) throws Exception {
    RunnableConfig config = thread("model " + serializer.contentType());
    Random random = new Random(47);
    MemorySaver model = new MemorySaver();
    List<PgToasterCheckpointSaver> savers = List.of(open(serializer), open(serializer));
    Map<String, Object> state = new HashMap<>();
    for (int step = 0; step < 40; step++) {
      BaseCheckpointSaver saver = savers.get(random.nextInt(2));
      state = next(state, random);
      Checkpoint added = checkpoint("node " + step, state);
      List<Checkpoint> all = List.copyOf(model.list(config));
      String old =
          random.nextInt(5) == 0 && !all.isEmpty()
              ? all.get(random.nextInt(Math.min(all.size(), 4))).getId()
              : null;
      RunnableConfig target = config.withCheckPointId(old);
      assertThat(saver.put(target, added).checkPointId())
          .isEqualTo(model.put(target, added).checkPointId());
      assertThat(saver.get(config).map(Contents::of))
          .isEqualTo(model.get(config).map(Contents::of));
      if (step % 8 == 0) {
        assertThat(Contents.of(saver.list(config))).isEqualTo(Contents.of(model.list(config)));
        String id = all.isEmpty() ? "none" : all.get(random.nextInt(all.size())).getId();
        RunnableConfig one = config.withCheckPointId(id);
        assertThat(saver.get(one).map(Contents::of)).isEqualTo(model.get(one).map(Contents::of));
      }
    }
    BaseCheckpointSaver.Tag tag = savers.get(0).release(config);
    assertThat(tag.threadId()).isEqualTo(model.threadId(config));
    assertThat(Contents.of(tag.checkpoints()))
        .isEqualTo(Contents.of(model.release(config).checkpoints()));
    assertThat(savers.get(1).list(config)).isEmpty();
    assertThat(savers.get(1).get(config)).isEmpty();
  }

  /** Returns the state of a chat with a window, some of whose other values change. */
  private static Map<String, Object> next(Map<String, Object> state, Random random) {
    Map<String, Object> next = new HashMap<>(state);
    List<Object> messages = new ArrayList<>();
    if (next.get("messages") instanceof List<?> before) {
      messages.addAll(before.subList(Math.max(0, before.size() - 20), before.size()));
    }
    for (int i = random.nextInt(3); i >= 0; i--) {
      messages.add("message " + random.nextInt() + " " + "x".repeat(random.nextInt(900)));
    }
    next.put("messages", messages);
    next.put("steps", random.nextInt(10));
    next.put("key " + random.nextInt(4), Map.of("a", List.of(random.nextInt(3), "b")));
    next.remove("key " + random.nextInt(4));
    return next;
  }

  private record Order(String id, BigDecimal price, Instant at) implements java.io.Serializable {}

  @Test
  void objects_areRestored() throws Exception {
    Map<String, Object> state = new HashMap<>();
    state.put("text", "zero \0 and 🎉");
    state.put("nothing", null);
    state.put("long", 1L);
    state.put("double", 1.0E10);
    state.put("order", new Order("7", new BigDecimal("1.50"), Instant.EPOCH));
    state.put("orders", Arrays.asList(new Order("8", BigDecimal.ONE, Instant.MAX), null, 2));
    state.put("set", Set.of(1, "two"));
    state.put("map", Map.of("list", List.of(List.of("a"), List.of()), "empty", Map.of()));
    state.put("empty", List.of());
    RunnableConfig config = thread("objects");
    open(OBJECTS).put(config, checkpoint("a", state));
    assertThat(open(OBJECTS).get(config).orElseThrow().getState()).isEqualTo(state);
    assertThat(open(OBJECTS).list(config).iterator().next().getState()).isEqualTo(state);
  }

  @Test
  void json_isStoredAsJson_andKeepsNumbersAndZeroCharacters() throws Exception {
    RunnableConfig config = thread("json");
    Map<String, Object> state =
        Map.of("text", "a", "double", 1.0E10, "list", List.of(1, 2.0, Map.of("b", true)));
    open(JSON).put(config, checkpoint("a", state));
    assertThat(open(JSON).get(config).orElseThrow().getState()).isEqualTo(state);
    assertThat(
            PgToaster.create(dataSource)
                .documents("agent", "checkpoints")
                .at("json", "newest.state.json.list[2].b")
                .get(Boolean.class))
        .contains(true);

    Map<String, Object> zero = Map.of("text", "a\0b", "list", List.of(1));
    open(JSON).put(config, checkpoint("b", zero));
    open(JSON).put(config, checkpoint("c", state));
    assertThat(open(JSON).list(config))
        .extracting(Checkpoint::getState)
        .containsExactly(state, zero, state);
    assertThatThrownBy(() -> open(OBJECTS).get(config))
        .hasMessageContaining("use the serializer that wrote the checkpoint");
    assertThatThrownBy(() -> open(JSON).put(config, checkpoint("d", Map.of("a\0b", 1))))
        .isInstanceOf(InvalidJsonException.class);
  }

  @Test
  void oldCheckpoints_areRemoved_andTheOthersRemainExact() throws Exception {
    PgToasterCheckpointSaver saver =
        PgToasterCheckpointSaver.of(dataSource, "agent", OBJECTS).withKeepLast(3);
    RunnableConfig config = thread("limited");
    List<Object> messages = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      messages.add("message " + i + "x".repeat(1_000));
      saver.put(config, checkpoint("node " + i, Map.of("messages", List.copyOf(messages))));
    }
    assertThat(open(OBJECTS).list(config))
        .extracting(Checkpoint::getNodeId, found -> found.getState().get("messages"))
        .containsExactly(
            tuple("node 29", messages),
            tuple("node 28", messages.subList(0, 29)),
            tuple("node 27", messages.subList(0, 28)));
    assertThatThrownBy(
            () -> PgToasterCheckpointSaver.of(dataSource, "agent", OBJECTS).withKeepLast(0))
        .isInstanceOf(IllegalArgumentException.class);

    saver = PgToasterCheckpointSaver.of(dataSource, "agent", OBJECTS).withKeepLast(1);
    saver.put(config, checkpoint("last", Map.of()));
    assertThat(open(OBJECTS).list(config))
        .extracting(Checkpoint::getNodeId)
        .containsExactly("last");
  }

  @Test
  void deletedAndReleasedThreads_leaveNothing() throws Exception {
    PgToasterCheckpointSaver.createTable(dataSource, "dropped");
    PgToasterCheckpointSaver saver = PgToasterCheckpointSaver.of(dataSource, "dropped", OBJECTS);
    for (String id : List.of("a", "b")) {
      for (int i = 0; i < 20; i++) {
        saver.put(thread(id), checkpoint("n", Map.of("messages", List.of("x".repeat(5_000) + i))));
      }
    }
    String nodes =
        "SELECT count(*) FROM "
            + ColumnAccess.column(PgToaster.create(dataSource).documents("dropped", "checkpoints"))
                .storeTable("node");
    assertThat(query(nodes)).isPositive();
    saver.deleteThread("a");
    saver.deleteThread("unknown");
    assertThat(saver.release(thread("b")).checkpoints()).hasSize(20);
    assertThat(saver.release(thread("b")).checkpoints()).isEmpty();
    assertThat(query("SELECT count(*) FROM dropped")).isZero();
    assertThat(query(nodes)).isZero();
    saver.put(thread("b"), checkpoint("again", Map.of()));
    assertThat(saver.list(thread("b"))).hasSize(1);
  }

  @Test
  void checkpointsOfTwoWriters_areAllStored_inTheOrderOfEach() throws Exception {
    RunnableConfig config = thread("shared");
    ExecutorService executor = Executors.newFixedThreadPool(3);
    List<Future<?>> writers = new ArrayList<>();
    for (String name : List.of("a", "b", "c")) {
      Callable<Object> writer =
          () -> {
            PgToasterCheckpointSaver saver = open(OBJECTS);
            for (int i = 0; i < 20; i++) {
              saver.put(config, checkpoint(name, Map.of("by", name, "number", i)));
              if (i % 10 == 9) {
                Checkpoint last = saver.get(config).orElseThrow();
                saver.put(thread("other " + name), last);
              }
            }
            return null;
          };
      writers.add(executor.submit(writer));
    }
    executor.shutdown();
    for (Future<?> writer : writers) {
      writer.get();
    }
    List<Checkpoint> all = new ArrayList<>(open(OBJECTS).list(config));
    Collections.reverse(all);
    for (String name : List.of("a", "b", "c")) {
      List<Object> numbers = new ArrayList<>();
      for (Checkpoint checkpoint : all) {
        if (checkpoint.getNodeId().equals(name)) {
          assertThat(checkpoint.getState().get("by")).isEqualTo(name);
          numbers.add(checkpoint.getState().get("number"));
        }
      }
      assertThat(numbers).hasSize(20).isSorted();
    }
    assertThat(all).hasSize(60);
  }

  @Test
  void checkpoint_writesTheSameAmount_howeverLongTheListIs() throws Exception {
    PgToasterCheckpointSaver saver = open(OBJECTS);
    RunnableConfig config = thread("long");
    List<Long> few = written(saver, config, 20);
    List<Long> many = written(saver, config, 500);
    assertThat(median(many)).isLessThan(median(few) * 3 / 2);
    assertThat(median(few)).isLessThan(8_000);
  }

  /** Returns how much each of the next checkpoints writes. */
  private static List<Long> written(BaseCheckpointSaver saver, RunnableConfig config, int first)
      throws Exception {
    List<Object> messages = new ArrayList<>();
    List<Long> written = new ArrayList<>();
    for (int i = 0; i < first + 11; i++) {
      Random random = new Random(i);
      messages.add(random.ints(40).mapToObj(Integer::toHexString).toList().toString());
      if (i >= first) {
        Checkpoint added = checkpoint("n", Map.of("steps", i, "messages", List.copyOf(messages)));
        long before = query("SELECT pg_current_wal_insert_lsn() - '0/0'");
        saver.put(config, added);
        written.add(query("SELECT pg_current_wal_insert_lsn() - '0/0'") - before);
      }
    }
    return written;
  }

  /** Other processes of the server also write to the log. */
  private static long median(List<Long> values) {
    return values.stream().sorted().toList().get(values.size() / 2);
  }

  @Test
  void putAgain_andUnknownIds() throws Exception {
    PgToasterCheckpointSaver saver = open(OBJECTS);
    RunnableConfig config = thread("again");
    Checkpoint first = checkpoint("a", Map.of("a", 1));
    saver.put(config, first);
    saver.put(config, first); // as after a lost connection
    assertThat(saver.list(config)).hasSize(1);
    assertThatThrownBy(() -> saver.put(config.withCheckPointId("x"), first))
        .isInstanceOf(NoSuchElementException.class);
    assertThatThrownBy(() -> saver.put(thread("no").withCheckPointId("x"), first))
        .isInstanceOf(NoSuchElementException.class);
    assertThat(saver.get(config.withCheckPointId("x"))).isEmpty();
    assertThat(saver.get(thread("no").withCheckPointId("x"))).isEmpty();
    assertThatThrownBy(() -> saver.list(thread("x".repeat(3_000))))
        .hasMessage("the id of a thread has 3000 bytes; the maximum is 2600");
    saver.put(RunnableConfig.builder().build(), first);
    assertThat(saver.get(thread(BaseCheckpointSaver.THREAD_ID_DEFAULT))).isPresent();
  }

  @Test
  void existingTable_canHaveOtherColumns_andRowsWithoutDocuments() throws Exception {
    PgToaster toaster = PgToaster.create(dataSource);
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE run (made timestamptz DEFAULT now(), name text PRIMARY KEY, log jsonb)");
      statement.execute("INSERT INTO run (name) VALUES ('a')");
    }
    ColumnName column = ColumnName.of("public", "run", "log");
    toaster.catalog().attach(column, JsonOptions.defaults());
    PgToasterCheckpointSaver saver =
        PgToasterCheckpointSaver.of(toaster, dataSource, column, OBJECTS);
    for (String id : List.of("a", "b")) {
      assertThat(saver.list(thread(id))).isEmpty();
      saver.put(thread(id), checkpoint("n", Map.of("a", 1)));
      saver.put(thread(id), checkpoint("n", Map.of("a", 2)));
      assertThat(saver.release(thread(id)).checkpoints()).hasSize(2);
    }
  }

  // What LangGraph4j's own tests of savers expect of graphs.

  /** The state of the graph below. */
  public static class Chat extends MessagesState<String> {
    Chat(Map<String, Object> data) {
      super(data);
    }
  }

  private static String answer(Chat state) {
    String last = state.lastMessage().orElseThrow();
    if (last.contains("degrees")) {
      return "it is sunny";
    }
    return last.contains("weather") ? "call the tool" : "hello " + last;
  }

  private static CompiledGraph<Chat> chat(CompileConfig.Builder config, BaseCheckpointSaver saver)
      throws Exception {
    return new StateGraph<>(Chat.SCHEMA, Chat::new)
        .addNode("agent", node_async(state -> Map.of("messages", answer(state))))
        .addNode("tools", node_async(state -> Map.of("messages", "30 degrees")))
        .addEdge(StateGraph.START, "agent")
        .addConditionalEdges(
            "agent",
            edge_async(
                state ->
                    state.lastMessage().filter("call the tool"::equals).isPresent()
                        ? "tools"
                        : StateGraph.END),
            Map.of("tools", "tools", StateGraph.END, StateGraph.END))
        .addEdge("tools", "agent")
        .compile(config.checkpointSaver(saver).build());
  }

  private static List<NodeOutput<Chat>> run(
      CompiledGraph<Chat> graph, GraphInput input, RunnableConfig config) {
    return graph.stream(input, config).stream().toList();
  }

  @ParameterizedTest
  @MethodSource("serializers")
  void graph_continuesFromItsThread_andFromAnOlderState(StateSerializer<?> serializer)
      throws Exception {
    RunnableConfig config = thread("graph " + serializer.contentType());
    CompiledGraph<Chat> graph = chat(CompileConfig.builder(), open(serializer));
    List<NodeOutput<Chat>> outputs =
        run(graph, GraphInput.args(Map.of("messages", "the weather?")), config);
    assertThat(outputs)
        .extracting(NodeOutput::node)
        .containsExactly(StateGraph.START, "agent", "tools", "agent", StateGraph.END);

    CompiledGraph<Chat> other = chat(CompileConfig.builder(), open(serializer));
    List<StateSnapshot<Chat>> history = List.copyOf(other.getStateHistory(config));
    assertThat(history)
        .extracting(snapshot -> snapshot.state().messages().size())
        .containsExactly(4, 3, 2, 1);
    assertThat(other.getState(config).next()).isEqualTo(StateGraph.END);
    assertThat(other.getState(config).state().lastMessage()).contains("it is sunny");

    RunnableConfig first = history.get(3).config();
    RunnableConfig updated = other.updateState(first, Map.of("messages", "Ann"));
    assertThat(other.getStateHistory(config)).hasSize(4);
    assertThat(other.getState(updated).state().messages()).containsExactly("the weather?", "Ann");
    outputs = run(other, GraphInput.resume(), updated);
    assertThat(outputs.get(outputs.size() - 1).state().lastMessage()).contains("hello Ann");
  }

  @Test
  void interruptedGraph_isResumedByAnotherProcess() throws Exception {
    RunnableConfig config = thread("interrupted");
    CompiledGraph<Chat> graph =
        chat(CompileConfig.builder().interruptBefore("tools"), open(OBJECTS));
    run(graph, GraphInput.args(Map.of("messages", "the weather?")), config);

    CompiledGraph<Chat> other =
        chat(CompileConfig.builder().interruptBefore("tools"), open(OBJECTS));
    assertThat(other.getState(config).next()).isEqualTo("tools");
    List<NodeOutput<Chat>> outputs =
        run(other, GraphInput.resume(), other.getState(config).config());
    assertThat(outputs.get(outputs.size() - 1).state().lastMessage()).contains("it is sunny");
  }

  @Test
  void graph_releasesItsThread() throws Exception {
    RunnableConfig config = thread("released");
    CompiledGraph<Chat> graph = chat(CompileConfig.builder().releaseThread(true), open(OBJECTS));
    assertThat(graph.invoke(Map.of("messages", "Ann"), config)).isPresent();
    assertThat(graph.getStateHistory(config)).isEmpty();
  }

  @Test
  void sample_runs() throws Exception {
    StateGraph<Chat> graph =
        new StateGraph<>(Chat.SCHEMA, Chat::new)
            .addNode("agent", node_async(state -> Map.of("messages", answer(state))))
            .addEdge(StateGraph.START, "agent")
            .addEdge("agent", StateGraph.END);
    PgToasterCheckpointSaver.createTable(dataSource, "agent"); // if it does not exist
    BaseCheckpointSaver saver =
        PgToasterCheckpointSaver.of(dataSource, "agent", graph.getStateSerializer())
            .withKeepLast(100); // checkpoints of a thread; without a limit, all are kept
    CompiledGraph<Chat> app = graph.compile(CompileConfig.builder().checkpointSaver(saver).build());
    RunnableConfig thread = RunnableConfig.builder().threadId("user-42").build();
    app.invoke(Map.of("messages", "Ann"), thread);
    app.getStateHistory(thread).forEach(snapshot -> System.out.println(snapshot.state()));

    assertThat(app.getStateHistory(thread)).hasSize(2);
    sampleOfReadme();
  }

  private void sampleOfReadme() throws IOException {
    String sample =
        Files.readString(Path.of("README.md")).split("```java\n", 2)[1].split("```", 2)[0];
    assertThat(
            Files.readString(
                Path.of("src/test/java", getClass().getName().replace('.', '/') + ".java")))
        .containsIgnoringWhitespaces(sample);
  }
}
