package io.pgtoaster.examples.chat;

import io.pgtoaster.PgToaster;
import io.pgtoaster.column.JsonSearch;
import io.pgtoaster.column.SearchHit;
import io.pgtoaster.error.RowNotFoundException;
import io.pgtoaster.jsonb.DocumentColumn;
import io.pgtoaster.jsonb.DocumentValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.memory.ChatMemoryRepository;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.JsonNode;

/** The conversations of all users. */
@Component
final class Chats {
  private static final int PAGE = 30;
  private static final String[] WORDS = {
    "harbour", "lantern", "engine", "winter", "orchard", "signal", "copper", "bridge", "meadow"
  };

  private final DocumentColumn memory;
  private final ChatMemoryRepository repository;
  private final JdbcTemplate jdbc;
  private final TransactionTemplate transactions;
  private final Costs costs;

  Chats(
      PgToaster toaster,
      ChatMemoryRepository repository,
      JdbcTemplate jdbc,
      TransactionTemplate transactions,
      Costs costs) {
    this.memory = toaster.documents("example_chat_memory", "conversation");
    this.repository = repository;
    this.jdbc = jdbc;
    this.transactions = transactions;
    this.costs = costs;
  }

  /** A conversation in a list. Its title is null before the first message. */
  record Chat(String id, String owner, @Nullable String title) {}

  List<Chat> of(String owner) {
    return chats("WHERE owner = ? ORDER BY created DESC LIMIT 100", owner);
  }

  private List<Chat> chats(String condition, Object parameter) {
    return jdbc.query(
        "SELECT id, owner, title FROM example_chat " + condition,
        (row, i) -> new Chat(row.getString(1), row.getString(2), row.getString(3)),
        parameter);
  }

  Chat create(String owner) {
    String id = UUID.randomUUID().toString();
    jdbc.update("INSERT INTO example_chat (id, owner) VALUES (?, ?)", id, owner);
    return new Chat(id, owner, null);
  }

  /** Sets the title, unless there is one. Returns false if the conversation does not exist. */
  boolean name(String id, String title) {
    String sql = "UPDATE example_chat SET title = coalesce(title, left(?, 60)) WHERE id = ?";
    return jdbc.update(sql, title, id) > 0;
  }

  /** A message; its type is USER or ASSISTANT. */
  record Line(String type, String text) {}

  /** Some messages of a conversation, from a position, and the number of all its messages. */
  record Page(long first, long count, List<Line> lines) {}

  /** Reads only the messages before a position, or the last ones. */
  Page page(String id, @Nullable Long before) {
    DocumentValue messages = memory.at(id, "messages");
    try {
      long count = messages.size().orElse(0);
      long end = before == null ? count : Math.min(before, count);
      long first = Math.max(0, end - PAGE);
      List<JsonNode> some = messages.slice(first, end).orElse(List.of());
      return new Page(first, count, some.stream().map(Chats::line).toList());
    } catch (RowNotFoundException e) {
      return new Page(0, 0, List.of()); // no message yet
    }
  }

  private static Line line(JsonNode message) {
    return new Line(message.path("type").asString(), message.path("text").asString());
  }

  /** A conversation that contains the words; its snippet has them between {@code <b>} tags. */
  record Hit(Chat chat, String snippet) {}

  List<Hit> search(String words) {
    List<Hit> hits = new ArrayList<>();
    for (SearchHit hit : memory.searchRanked(JsonSearch.text(words).withLimit(20))) {
      chats("WHERE id = ?", hit.key()).forEach(chat -> hits.add(new Hit(chat, hit.snippet())));
    }
    return hits;
  }

  /** Adds messages to a conversation, in both repositories. */
  void fill(String id, int count) {
    List<Message> messages = new ArrayList<>(repository.findByConversationId(id));
    Random random = new Random(messages.size());
    for (int i = 0; i < count; i += 2) {
      messages.add(new UserMessage("Tell me about the " + words(random, 8) + "?"));
      messages.add(new AssistantMessage("I remember the " + words(random, 32) + "."));
    }
    repository.saveAll(id, messages);
    costs.copy(id, messages);
  }

  private static String words(Random random, int count) {
    return String.join(" ", random.ints(count, 0, WORDS.length).mapToObj(i -> WORDS[i]).toList());
  }

  /** Deletes everything that a user has stored. */
  void delete(String owner) {
    String chats = "DELETE FROM example_chat WHERE owner = ? RETURNING id";
    String copies = "DELETE FROM spring_ai_chat_memory WHERE conversation_id = ANY(?)";
    transactions.executeWithoutResult(
        status -> {
          Object ids = jdbc.queryForList(chats, String.class, owner).toArray(String[]::new);
          jdbc.update(copies, ids);
        });
  }
}
