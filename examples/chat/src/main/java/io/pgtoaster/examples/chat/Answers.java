package io.pgtoaster.examples.chat;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.BlobColumn;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

/** Answers of the model, whose tokens are appended to blobs as they arrive. */
@Component
final class Answers {
  private static final Logger LOGGER = LoggerFactory.getLogger(Answers.class);

  private final ChatClient client;
  private final JdbcTemplate jdbc;
  private final BlobColumn blobs;
  private final Costs costs;

  /** The last turns, by conversation. They are complete when their costs are known. */
  private final Map<String, CompletableFuture<Costs.Turn>> turns = new ConcurrentHashMap<>();

  Answers(ChatClient client, JdbcTemplate jdbc, PgToaster toaster, Costs costs) {
    this.client = client;
    this.jdbc = jdbc;
    this.blobs = toaster.blobs("example_chat_answer", "tokens");
    this.costs = costs;
    // The application stopped during these answers. Their followers would wait forever.
    jdbc.queryForList("SELECT id FROM example_chat_answer", Long.class).forEach(blobs::seal);
  }

  /** Returns the id of the latest answer in a conversation. */
  @Nullable Long latest(String chat) {
    String sql = "SELECT id FROM example_chat_answer WHERE chat = ?";
    return jdbc.queryForList(sql, Long.class, chat).stream().findFirst().orElse(null);
  }

  /** Returns the cost of the latest turn, once it is known. */
  @Nullable CompletableFuture<Costs.Turn> latestTurn(String chat) {
    return turns.get(chat);
  }

  /** Starts a turn. Returns the id of its answer, or null if another turn is running. */
  @Nullable Long start(String chat, String question) {
    CompletableFuture<Costs.Turn> turn = new CompletableFuture<>();
    CompletableFuture<Costs.Turn> last = turns.putIfAbsent(chat, turn);
    if (last != null && (!last.isDone() || !turns.replace(chat, last, turn))) {
      return null;
    }
    try {
      jdbc.update("DELETE FROM example_chat_answer WHERE chat = ?", chat);
      String insert = "INSERT INTO example_chat_answer (chat) VALUES (?) RETURNING id";
      long id = jdbc.queryForList(insert, Long.class, chat).get(0);
      blobs.append(id, new byte[0]);
      costs.begin(chat);
      List<Costs.Cost> tokens = new ArrayList<>();
      client
          .prompt()
          .messages(new UserMessage(question))
          .advisors(advisor -> advisor.param(ChatMemory.CONVERSATION_ID, chat))
          .stream()
          .content()
          .doOnNext(t -> tokens.add(costs.measure(() -> blobs.append(id, t.getBytes(UTF_8)))))
          .doOnComplete(() -> blobs.seal(id)) // now the chat memory contains the answer
          .doOnComplete(() -> turn.complete(costs.end(chat, tokens)))
          .doFinally(end -> costs.forget(chat))
          .subscribe(token -> {}, e -> interrupt(id, turn, e));
      return id;
    } catch (RuntimeException e) {
      turn.cancel(false);
      throw e;
    }
  }

  /** The model has failed, or the conversation was deleted. */
  private void interrupt(long id, CompletableFuture<Costs.Turn> turn, Throwable e) {
    LOGGER.warn("An answer was interrupted: {}", e.toString());
    turn.cancel(false);
    if (!jdbc.queryForList("SELECT FROM example_chat_answer WHERE id = ?", id).isEmpty()) {
      blobs.seal(id);
    }
  }
}
