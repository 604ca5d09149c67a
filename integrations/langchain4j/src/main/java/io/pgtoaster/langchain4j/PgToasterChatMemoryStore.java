package io.pgtoaster.langchain4j;

import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ChatMessageDeserializer;
import dev.langchain4j.data.message.ChatMessageSerializer;
import dev.langchain4j.store.memory.chat.ChatMemoryStore;
import io.pgtoaster.PgToaster;
import io.pgtoaster.chatmemory.Conversations;
import io.pgtoaster.chatmemory.RowStatements;
import io.pgtoaster.column.ColumnName;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Stores chat memory in a table, one row per memory id. An update writes only the messages that
 * changed, whatever the length of the conversation. Thread-safe.
 *
 * <p>If several threads or JVMs add messages to one conversation at once, all of their messages
 * remain: an update applies only the difference from what the same thread last read. The text of a
 * memory id is the key of its row, so {@code 1} and {@code "1"} are one conversation.
 *
 * <p>To see all messages of a long conversation, read its document. Change the messages only
 * through this class, because the store uses the version in the document.
 */
public final class PgToasterChatMemoryStore implements ChatMemoryStore {
  private static final String COLUMN = "conversation";

  private final Conversations conversations;

  private PgToasterChatMemoryStore(Conversations conversations) {
    this.conversations = conversations;
  }

  /**
   * Opens the store in a table that {@link #createTable} has created.
   *
   * @param dataSource data source of the database, preferably a pool
   * @param table exact name of a table on the search path
   * @return the store
   */
  public static PgToasterChatMemoryStore of(DataSource dataSource, String table) {
    return of(PgToaster.create(dataSource), dataSource, ColumnName.of(table, COLUMN));
  }

  /**
   * Opens the store in any table.
   *
   * @param toaster the toaster with the settings to use; its calls must not join a caller's
   *     transaction
   * @param dataSource data source of the same database, for statements that delete rows
   * @param column of type {@code jsonb}, in a table with one key column of type {@code text}; the
   *     other columns need defaults
   * @return the store
   */
  public static PgToasterChatMemoryStore of(
      PgToaster toaster, DataSource dataSource, ColumnName column) {
    return new PgToasterChatMemoryStore(
        new Conversations(toaster, RowStatements.on(dataSource), column));
  }

  /**
   * Creates a table with the columns {@code id} and {@code conversation}, unless it exists, and
   * attaches the second. Installs the catalog, unless it is installed.
   *
   * @param dataSource data source of the database
   * @param table exact name
   */
  public static void createTable(DataSource dataSource, String table) {
    PgToaster toaster = PgToaster.create(dataSource);
    if (!toaster.catalog().isInstalled()) {
      toaster.catalog().install();
    }
    Conversations.createTable(toaster, RowStatements.on(dataSource), ColumnName.of(table, COLUMN));
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException if the id is null, has more than 2,600 bytes of text, or
   *     contains a zero character
   */
  @Override
  public List<ChatMessage> getMessages(Object memoryId) {
    List<ChatMessage> messages = new ArrayList<>();
    for (JsonNode message : conversations.read(id(memoryId))) {
      messages.add(ChatMessageDeserializer.messageFromJson(message.toString()));
    }
    return messages;
  }

  /**
   * {@inheritDoc} An empty list deletes the row.
   *
   * @throws IllegalArgumentException if the id is not valid, see {@link #getMessages}, or the list
   *     or a message is null
   * @throws io.pgtoaster.error.InvalidJsonException if a message contains a zero character
   */
  @Override
  public void updateMessages(Object memoryId, List<ChatMessage> messages) {
    String id = id(memoryId);
    List<JsonNode> nodes = new ArrayList<>();
    for (ChatMessage message : present(messages, "messages")) {
      nodes.add(
          Conversations.parse(ChatMessageSerializer.messageToJson(present(message, "a message"))));
    }
    conversations.write(id, nodes);
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException if the id is not valid, see {@link #getMessages}
   */
  @Override
  public void deleteMessages(Object memoryId) {
    conversations.delete(id(memoryId));
  }

  private static String id(Object memoryId) {
    return present(memoryId, "memoryId").toString();
  }

  private static <T> T present(@Nullable T value, String name) {
    if (value == null) {
      throw new IllegalArgumentException(name + " cannot be null");
    }
    return value;
  }
}
