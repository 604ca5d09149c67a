package io.pgtoaster.benchmarks.chat;

import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ChatMessageDeserializer;
import dev.langchain4j.data.message.ChatMessageSerializer;
import dev.langchain4j.store.memory.chat.ChatMemoryStore;
import io.pgtoaster.PgToaster;
import io.pgtoaster.benchmarks.server.Sql;
import io.pgtoaster.column.ColumnName;
import io.pgtoaster.langchain4j.PgToasterChatMemoryStore;
import io.pgtoaster.langgraph4j.PgToasterCheckpointSaver;
import io.pgtoaster.springai.PgToasterChatMemoryRepository;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import org.bsc.langgraph4j.RunnableConfig;
import org.bsc.langgraph4j.checkpoint.BaseCheckpointSaver;
import org.bsc.langgraph4j.checkpoint.Checkpoint;
import org.bsc.langgraph4j.serializer.StateSerializer;
import org.bsc.langgraph4j.serializer.std.ObjectStreamStateSerializer;
import org.bsc.langgraph4j.state.AgentState;
import org.springframework.ai.chat.memory.ChatMemoryRepository;
import org.springframework.ai.chat.memory.repository.jdbc.JdbcChatMemoryRepository;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/** A store of conversations. Each conversation consists of the first messages of a list. */
interface ChatStore {
  /** Stores the first messages of the list as the conversation. */
  void write(String id, int messages) throws Exception;

  /** Reads a conversation and returns the number of its messages. */
  int read(String id) throws Exception;

  /** Returns a store of Spring AI. */
  static ChatStore of(ChatMemoryRepository repository, List<String> texts) {
    List<Message> all =
        IntStream.range(0, texts.size())
            .<Message>mapToObj(
                i ->
                    i % 2 == 0 ? new UserMessage(texts.get(i)) : new AssistantMessage(texts.get(i)))
            .toList();
    return new ChatStore() {
      @Override
      public void write(String id, int messages) {
        repository.saveAll(id, all.subList(0, messages));
      }

      @Override
      public int read(String id) {
        return repository.findByConversationId(id).size();
      }
    };
  }

  /** Returns a store of LangChain4j. */
  static ChatStore of(ChatMemoryStore store, List<String> texts) {
    List<ChatMessage> all =
        IntStream.range(0, texts.size())
            .<ChatMessage>mapToObj(
                i ->
                    i % 2 == 0
                        ? dev.langchain4j.data.message.UserMessage.from(texts.get(i))
                        : dev.langchain4j.data.message.AiMessage.from(texts.get(i)))
            .toList();
    return new ChatStore() {
      @Override
      public void write(String id, int messages) {
        store.updateMessages(id, all.subList(0, messages));
      }

      @Override
      public int read(String id) {
        return store.getMessages(id).size();
      }
    };
  }

  static ChatStore springAi(Connection session, List<String> texts) {
    SingleConnectionDataSource source = new SingleConnectionDataSource(session, true);
    PgToaster toaster = PgToaster.create(source);
    ColumnName column = ColumnName.of("bench", "spring_ai", "conversation");
    PgToasterChatMemoryRepository.createTable(toaster, source, column);
    return of(new PgToasterChatMemoryRepository(toaster, source, column), texts);
  }

  /** Returns Spring AI's own repository with its own table. */
  static ChatStore springAiJdbc(Connection session, List<String> texts)
      throws SQLException, IOException {
    try (InputStream schema =
        JdbcChatMemoryRepository.class.getResourceAsStream("schema-postgresql.sql")) {
      byte[] sql = Objects.requireNonNull(schema).readAllBytes();
      Sql.run(session, new String(sql, StandardCharsets.UTF_8));
    }
    SingleConnectionDataSource source = new SingleConnectionDataSource(session, true);
    return of(JdbcChatMemoryRepository.builder().dataSource(source).build(), texts);
  }

  static ChatStore langChain4j(Connection session, List<String> texts) {
    SingleConnectionDataSource source = new SingleConnectionDataSource(session, true);
    ColumnName column = ColumnName.of("bench", "langchain4j", "conversation");
    PgToasterChatMemoryStore.createTable(source, column.table());
    return of(PgToasterChatMemoryStore.of(PgToaster.create(source), source, column), texts);
  }

  /**
   * Returns a store that does what LangChain4j's SQL store does: it replaces a text with all
   * messages. No release of that store is on Maven Central.
   */
  static ChatStore langChain4jSql(Connection session, List<String> texts) throws SQLException {
    Sql.run(session, "CREATE TABLE bench.whole (id text PRIMARY KEY, content text NOT NULL)");
    return of(new WholeText(session), texts);
  }

  /** A conversation as one text. */
  record WholeText(Connection session) implements ChatMemoryStore {
    @Override
    public List<ChatMessage> getMessages(Object id) {
      try (PreparedStatement s =
          session.prepareStatement("SELECT content FROM bench.whole WHERE id = ?")) {
        s.setString(1, id.toString());
        try (ResultSet r = s.executeQuery()) {
          return r.next() ? ChatMessageDeserializer.messagesFromJson(r.getString(1)) : List.of();
        }
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void updateMessages(Object id, List<ChatMessage> messages) {
      try (PreparedStatement s =
          session.prepareStatement(
              "INSERT INTO bench.whole VALUES (?, ?)"
                  + " ON CONFLICT (id) DO UPDATE SET content = excluded.content")) {
        s.setString(1, id.toString());
        s.setString(2, ChatMessageSerializer.messagesToJson(messages));
        s.executeUpdate();
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void deleteMessages(Object id) {
      throw new UnsupportedOperationException();
    }
  }

  /** Returns a saver of LangGraph4j, whose checkpoints contain the messages. */
  static ChatStore of(BaseCheckpointSaver saver, List<String> texts) {
    return new ChatStore() {
      @Override
      public void write(String id, int messages) throws Exception {
        Map<String, Object> state =
            Map.of("messages", texts.subList(0, messages), "steps", messages);
        saver.put(
            RunnableConfig.builder().threadId(id).build(),
            Checkpoint.builder().nodeId("agent").nextNodeId("tools").state(state).build());
      }

      @Override
      public int read(String id) {
        RunnableConfig thread = RunnableConfig.builder().threadId(id).build();
        Map<String, Object> state = saver.get(thread).orElseThrow().getState();
        return ((List<?>) Objects.requireNonNull(state.get("messages"))).size();
      }
    };
  }

  static ChatStore langGraph4j(Connection session, List<String> texts) {
    SingleConnectionDataSource source = new SingleConnectionDataSource(session, true);
    PgToasterCheckpointSaver.createTable(source, "checkpoint");
    return of(PgToasterCheckpointSaver.of(source, "checkpoint", Base64Saver.SERIALIZER), texts);
  }

  /**
   * Returns a saver that stores what LangGraph4j's saver for PostgreSQL stores: a row with a whole
   * state, as Base64 text in {@code jsonb}. No current release of that saver is on Maven Central.
   */
  static ChatStore langGraph4jSql(Connection session, List<String> texts) throws SQLException {
    Sql.run(
        session,
        "CREATE TABLE bench.base64 (id uuid PRIMARY KEY, thread text, node text, next text,"
            + " state jsonb, saved timestamptz DEFAULT clock_timestamp());"
            + " CREATE INDEX ON bench.base64 (thread, saved DESC)");
    return of(new Base64Saver(session), texts);
  }

  /** Whole states. */
  record Base64Saver(Connection session) implements BaseCheckpointSaver {
    static final StateSerializer<AgentState> SERIALIZER =
        new ObjectStreamStateSerializer<>(AgentState::new);

    @Override
    public RunnableConfig put(RunnableConfig config, Checkpoint checkpoint) throws Exception {
      try (PreparedStatement s =
          session.prepareStatement("INSERT INTO bench.base64 VALUES (?, ?, ?, ?, ?::jsonb)")) {
        s.setObject(1, UUID.fromString(checkpoint.getId()));
        s.setString(2, threadId(config));
        s.setString(3, checkpoint.getNodeId());
        s.setString(4, checkpoint.getNextNodeId());
        byte[] bytes = SERIALIZER.dataToBytes(checkpoint.getState());
        s.setString(5, "{\"bytes\": \"" + Base64.getEncoder().encodeToString(bytes) + "\"}");
        s.executeUpdate();
      }
      return config;
    }

    @Override
    public Optional<Checkpoint> get(RunnableConfig config) {
      try (PreparedStatement s =
          session.prepareStatement(
              "SELECT id, node, next, state->>'bytes' FROM bench.base64"
                  + " WHERE thread = ? ORDER BY saved DESC LIMIT 1")) {
        s.setString(1, threadId(config));
        try (ResultSet r = s.executeQuery()) {
          return r.next()
              ? Optional.of(
                  Checkpoint.builder()
                      .id(r.getString(1))
                      .nodeId(r.getString(2))
                      .nextNodeId(r.getString(3))
                      .state(SERIALIZER.dataFromBytes(Base64.getDecoder().decode(r.getString(4))))
                      .build())
              : Optional.empty();
        }
      } catch (SQLException | IOException | ClassNotFoundException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public Collection<Checkpoint> list(RunnableConfig config) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Tag release(RunnableConfig config) {
      throw new UnsupportedOperationException();
    }
  }
}
