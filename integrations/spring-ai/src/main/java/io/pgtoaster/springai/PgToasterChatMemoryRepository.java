package io.pgtoaster.springai;

import io.pgtoaster.PgToaster;
import io.pgtoaster.chatmemory.Conversations;
import io.pgtoaster.chatmemory.RowStatements;
import io.pgtoaster.column.ColumnName;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.ai.chat.memory.ChatMemoryRepository;
import org.springframework.ai.chat.messages.Message;
import org.springframework.util.Assert;

/**
 * Stores chat memory in a table, one row per conversation. {@link #saveAll} writes only the
 * messages that changed, whatever the length of the conversation. Thread-safe.
 *
 * <p>If several threads or applications add messages to one conversation at once, all of their
 * messages remain: {@link #saveAll} applies only the difference from what the same thread last
 * read. Tool calls, tool responses, media and metadata are stored, too. Metadata values other than
 * numbers, strings, dates, lists and maps are read back as maps, and enums as strings. Change the
 * messages only through this class.
 */
public final class PgToasterChatMemoryRepository implements ChatMemoryRepository {
  private final Conversations conversations;

  /**
   * Opens the repository in a table.
   *
   * @param toaster a toaster whose calls join Spring's transactions, such as the starter's
   * @param dataSource the data source that the toaster uses
   * @param column of type {@code jsonb}, in a table with one key column of type {@code text}; the
   *     other columns need defaults
   */
  public PgToasterChatMemoryRepository(
      PgToaster toaster, DataSource dataSource, ColumnName column) {
    conversations = new Conversations(toaster, new SpringStatements(dataSource), column);
  }

  /**
   * Creates the table with a key column {@code id}, unless it exists, and attaches its column.
   *
   * @param toaster of a database with the catalog
   * @param dataSource the data source that the toaster uses
   * @param column to create
   */
  public static void createTable(PgToaster toaster, DataSource dataSource, ColumnName column) {
    Conversations.createTable(toaster, RowStatements.on(dataSource), column);
  }

  @Override
  public List<String> findConversationIds() {
    return conversations.ids();
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException if the id is null, has no text or more than 2,600 bytes, or
   *     contains a zero character
   */
  @Override
  public List<Message> findByConversationId(String conversationId) {
    return conversations.read(checked(conversationId)).stream().map(MessageJson::read).toList();
  }

  /**
   * {@inheritDoc} An empty list deletes the row.
   *
   * @throws IllegalArgumentException if the id is not valid, see {@link #findByConversationId}, or
   *     the list or a message is null
   * @throws io.pgtoaster.error.InvalidJsonException if a message contains a zero character
   */
  @Override
  public void saveAll(String conversationId, List<Message> messages) {
    checked(conversationId);
    Assert.notNull(messages, "messages cannot be null");
    Assert.noNullElements(messages, "messages cannot contain null elements");
    conversations.write(conversationId, messages.stream().map(MessageJson::write).toList());
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException if the id is not valid, see {@link #findByConversationId}
   */
  @Override
  public void deleteByConversationId(String conversationId) {
    conversations.delete(checked(conversationId));
  }

  private static String checked(String conversationId) {
    Assert.hasText(conversationId, "conversationId cannot be null or empty");
    return conversationId;
  }
}
