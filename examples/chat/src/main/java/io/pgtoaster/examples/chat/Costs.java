package io.pgtoaster.examples.chat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.ai.chat.memory.ChatMemoryRepository;
import org.springframework.ai.chat.memory.repository.jdbc.JdbcChatMemoryRepository;
import org.springframework.ai.chat.messages.Message;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Measures what a turn writes to the write-ahead log, and stores the same turn with Spring AI's own
 * repository. The log is the whole server's, so it includes what others write at the same time.
 */
@Component
final class Costs {
  /** Bytes of write-ahead log that work has written, and the time that it took. */
  record Cost(long walBytes, long micros) {
    static final Cost NONE = new Cost(0, 0);

    Cost plus(Cost other) {
      return new Cost(walBytes + other.walBytes, micros + other.micros);
    }
  }

  /**
   * The cost of a turn: of storing the question and the answer in the chat memory, of the same with
   * Spring AI's own repository, and of appending the tokens of the answer to its blob.
   */
  record Turn(int messages, Cost memory, Cost stock, int tokens, Cost answer) {}

  /** A call of the chat memory during a turn. */
  private record Call(Cost cost, List<Message> messages) {}

  private final JdbcTemplate jdbc;
  private final TransactionTemplate transactions;
  private final JdbcChatMemoryRepository stock;
  private final Map<String, List<Call>> turns = new ConcurrentHashMap<>();

  Costs(JdbcTemplate jdbc, TransactionTemplate transactions) {
    this.jdbc = jdbc;
    this.transactions = transactions;
    this.stock = JdbcChatMemoryRepository.builder().jdbcTemplate(jdbc).build();
  }

  Cost measure(Runnable work) {
    long wal = wal();
    long start = System.nanoTime();
    work.run();
    long micros = (System.nanoTime() - start) / 1000;
    return new Cost(wal() - wal, micros);
  }

  private long wal() {
    String sql = "SELECT CAST(pg_current_wal_insert_lsn() - '0/0' AS bigint)";
    return jdbc.queryForList(sql, Long.class).get(0);
  }

  /** Stores all messages of a conversation with Spring AI's own repository. */
  void copy(String chat, List<Message> messages) {
    transactions.executeWithoutResult(
        status -> {
          // Deleting a user's data at the same time waits for this transaction.
          String lock = "SELECT id FROM example_chat WHERE id = ? FOR KEY SHARE";
          if (!jdbc.queryForList(lock, chat).isEmpty()) {
            stock.saveAll(chat, messages);
          }
        });
  }

  void begin(String chat) {
    turns.put(chat, new CopyOnWriteArrayList<>());
  }

  void forget(String chat) {
    turns.remove(chat);
  }

  /** Stores the turn with Spring AI's own repository, as the chat memory has stored it. */
  Turn end(String chat, List<Cost> tokens) {
    Cost memory = Cost.NONE;
    Cost copies = Cost.NONE;
    int messages = 0;
    for (Call call : turns.getOrDefault(chat, List.of())) {
      memory = memory.plus(call.cost());
      copies = copies.plus(measure(() -> copy(chat, call.messages())));
      messages = call.messages().size();
    }
    Cost answer = tokens.stream().reduce(Cost.NONE, Cost::plus);
    return new Turn(messages, memory, copies, tokens.size(), answer);
  }

  /** Returns a repository that measures what turns store in another one. */
  ChatMemoryRepository measured(ChatMemoryRepository repository) {
    return new ChatMemoryRepository() {
      @Override
      public List<String> findConversationIds() {
        return repository.findConversationIds();
      }

      @Override
      public List<Message> findByConversationId(String chat) {
        return repository.findByConversationId(chat);
      }

      @Override
      public void saveAll(String chat, List<Message> messages) {
        Cost cost = measure(() -> repository.saveAll(chat, messages));
        turns.getOrDefault(chat, new ArrayList<>()).add(new Call(cost, messages));
      }

      @Override
      public void deleteByConversationId(String chat) {
        repository.deleteByConversationId(chat);
      }
    };
  }
}
