package io.pgtoaster.benchmarks.chat;

import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ChatMessageDeserializer;
import dev.langchain4j.data.message.ChatMessageSerializer;
import dev.langchain4j.store.memory.chat.ChatMemoryStore;
import io.pgtoaster.PgToaster;
import io.pgtoaster.benchmarks.server.Sql;
import io.pgtoaster.column.ColumnName;
import io.pgtoaster.langchain4j.PgToasterChatMemoryStore;
import io.pgtoaster.springai.PgToasterChatMemoryRepository;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
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
}
