package io.pgtoaster.chatmemory;

import io.pgtoaster.PgToaster;
import io.pgtoaster.column.ColumnName;
import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.column.JsonEdit;
import io.pgtoaster.error.ConcurrencyException;
import io.pgtoaster.error.ConditionFailedException;
import io.pgtoaster.error.OutcomeUnknownException;
import io.pgtoaster.error.PathNotFoundException;
import io.pgtoaster.error.RowExistsException;
import io.pgtoaster.error.RowNotFoundException;
import io.pgtoaster.internal.json.Json;
import io.pgtoaster.jsonb.DocumentColumn;
import io.pgtoaster.jsonb.JsonOptions;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The conversations of a table, one row each. {@link #write} takes all messages of a conversation,
 * as chat memories do, and writes only what changed. Thread-safe.
 *
 * <p>The document of a conversation is <code>{"version": 1234, "messages": [..]}</code>. Each write
 * sets a new random version, and expects the version that it knows. If another writer has changed
 * the version, the library reads the conversation and applies the changes of both.
 */
public final class Conversations {
  /** A key of a B-tree index has at most 2,704 bytes. */
  private static final int MAX_ID_BYTES = 2_600;

  /**
   * With this fan-out, removing the first messages writes less WAL than with the default, and
   * appending writes the same amount.
   */
  private static final int FAN_OUT = 32;

  /** If there are more changes than this, replacing the array is cheaper than changing it. */
  private static final int MAX_EDITS = 100;

  private static final int MAX_ATTEMPTS = 100;

  private static final DocumentPath VERSION = DocumentPath.of("version");
  private static final DocumentPath MESSAGES = DocumentPath.of("messages");

  private final RowStatements statements;
  private final ConversationTable table;
  private final DocumentColumn documents;
  private final Bases bases = new Bases();

  private enum Place {
    NO_ROW,
    NULL,
    DOCUMENT
  }

  /** A conversation as it is stored; its messages are empty if they were not read. */
  private record Stored(
      Place place, long version, Digests hashes, Optional<List<JsonNode>> messages) {
    Stored(Place place) {
      this(place, 0, Digests.NONE, Optional.of(List.of()));
    }

    static Stored as(Bases.Base base) {
      return new Stored(Place.DOCUMENT, base.version(), base.hashes(), Optional.empty());
    }
  }

  /**
   * Opens the conversations of a table.
   *
   * @param toaster reads and writes the documents
   * @param statements on rows of the same database
   * @param column of type {@code jsonb}, in a table with one key column of type {@code text}
   */
  public Conversations(PgToaster toaster, RowStatements statements, ColumnName column) {
    this.statements = statements;
    documents = toaster.documents(column);
    table = new ConversationTable(statements, column, documents);
  }

  /**
   * Creates the table, unless it exists, and attaches its column.
   *
   * @param toaster of a database with the catalog
   * @param statements on rows of the same database
   * @param column to create, next to a key column {@code id}
   */
  public static void createTable(PgToaster toaster, RowStatements statements, ColumnName column) {
    createTable(toaster, statements, column, options());
  }

  /**
   * Creates the table, unless it exists, and attaches its column.
   *
   * @param toaster of a database with the catalog
   * @param statements on rows of the same database
   * @param column to create, next to a key column {@code id}
   * @param options of the column
   */
  public static void createTable(
      PgToaster toaster, RowStatements statements, ColumnName column, JsonOptions options) {
    ConversationTable.create(toaster, statements, column, options);
  }

  /**
   * Returns the options for columns of conversations.
   *
   * @return options with a small fan-out
   */
  public static JsonOptions options() {
    return JsonOptions.defaults().withFanOut(FAN_OUT);
  }

  /**
   * Returns the ids of all conversations.
   *
   * @return the ids in the order of the key
   */
  public List<String> ids() {
    return table.ids();
  }

  /**
   * Reads a conversation.
   *
   * @param id of the conversation
   * @return its messages; empty if it does not exist
   * @throws IllegalArgumentException if the id cannot be a key
   */
  public List<JsonNode> read(String id) {
    Stored stored = load(checked(id));
    remember(id, new Bases.Base(stored.version(), stored.hashes()));
    return stored.messages().orElseThrow();
  }

  /**
   * Stores the messages of a conversation. If other writers have changed the conversation since the
   * calling thread read it, their changes remain. Without messages the conversation is deleted.
   *
   * @param id of the conversation
   * @param messages all of them
   * @throws IllegalArgumentException if the id cannot be a key
   * @throws io.pgtoaster.error.InvalidJsonException if PostgreSQL cannot store a message, such as
   *     one with a zero character
   */
  public void write(String id, List<JsonNode> messages) {
    checked(id);
    if (messages.isEmpty()) {
      delete(id);
      return;
    }
    try {
      write(id, messages, Digests.of(messages));
    } catch (OutcomeUnknownException e) {
      bases.forget(id);
      throw e;
    }
  }

  /**
   * Deletes a conversation, if it exists.
   *
   * @param id of the conversation
   * @throws IllegalArgumentException if the id cannot be a key
   */
  public void delete(String id) {
    table.delete(checked(id));
    bases.forget(id);
  }

  private void write(String id, List<JsonNode> wanted, Digests hashes) {
    Bases.Base known = bases.get(id);
    Stored stored = known == null || known.version() == 0 ? load(id) : Stored.as(known);
    Digests base = known == null ? stored.hashes() : known.hashes();
    for (int attempt = 1; ; attempt++) {
      Merge merge = Merge.of(base, stored.hashes(), hashes);
      Digests result = merge.hashes(stored.hashes(), hashes);
      boolean unchanged =
          result.size() == 0
              ? stored.place() != Place.DOCUMENT
              : stored.place() == Place.DOCUMENT && result.equals(stored.hashes());
      try {
        long version = unchanged ? stored.version() : newVersion();
        if (!unchanged) {
          store(id, stored, version, merge, wanted);
        }
        remember(id, new Bases.Base(result.equals(hashes) ? version : 0, hashes));
        return;
      } catch (ConcurrencyException
          | ConditionFailedException
          | RowExistsException
          | RowNotFoundException
          | PathNotFoundException e) {
        // PostgreSQL executes nothing more in a transaction with a failed statement.
        boolean failed = statements.inTransaction() && e.getCause() instanceof SQLException;
        if (failed || attempt == MAX_ATTEMPTS) {
          throw e;
        }
      }
      stored = load(id);
    }
  }

  private static long newVersion() {
    return ThreadLocalRandom.current().nextLong(1, 1L << 53);
  }

  /** Remembers what the calling thread has read or written. A rollback makes this invalid. */
  private void remember(String id, Bases.Base base) {
    bases.set(id, base);
    statements.onRollback(() -> bases.forget(id));
  }

  private void store(String id, Stored stored, long version, Merge merge, List<JsonNode> wanted) {
    for (int i = 0; i < merge.size(); i++) {
      if (!merge.isStored(i)) {
        Json.check(wanted.get(merge.source(i)));
      }
    }
    JsonNodeFactory nodes = JsonNodeFactory.instance;
    JsonNode number = nodes.numberNode(version);
    if (stored.place() == Place.DOCUMENT) {
      JsonEdit set = new JsonEdit.Set(VERSION, number, true);
      JsonNode expected = stored.version() == 0 ? null : nodes.numberNode(stored.version());
      List<JsonEdit> edits = new ArrayList<>();
      edits.add(new JsonEdit.Conditional(set, expected));
      List<JsonEdit> changes = changes(stored.hashes().size(), merge, wanted);
      if (changes.size() > MAX_EDITS) {
        edits.add(new JsonEdit.Set(MESSAGES, all(stored, merge, wanted), true));
      } else {
        edits.addAll(changes);
      }
      documents.edit(id, edits);
      return;
    }
    ObjectNode document = nodes.objectNode();
    document.set("version", number);
    document.set("messages", all(stored, merge, wanted));
    if (stored.place() == Place.NO_ROW) {
      documents.insert(id, document);
    } else {
      documents.edit(id, List.of(JsonEdit.setIfAbsent("", document)));
    }
  }

  /**
   * Returns the changes of the array, last position first, so that no edit shifts the position of a
   * later edit.
   */
  private static List<JsonEdit> changes(int stored, Merge merge, List<JsonNode> wanted) {
    List<JsonEdit> edits = new ArrayList<>();
    ArrayNode added = JsonNodeFactory.instance.arrayNode();
    int last = merge.size();
    while (last > 0 && !merge.isStored(last - 1)) {
      last--;
    }
    for (int i = last; i < merge.size(); i++) {
      added.add(wanted.get(merge.source(i)));
    }
    if (!added.isEmpty()) {
      edits.add(new JsonEdit.Append(MESSAGES, added));
    }
    int next = stored;
    for (int i = last - 1; i >= 0; i--) {
      int source = merge.source(i);
      if (merge.isStored(i)) {
        removeBetween(source, next, edits);
        next = source;
      } else {
        edits.add(new JsonEdit.Insert(MESSAGES.index(next), wanted.get(source), false));
      }
    }
    if (next > 0) {
      edits.add(new JsonEdit.KeepLast(MESSAGES, merge.size()));
    }
    return edits;
  }

  private static void removeBetween(int after, int before, List<JsonEdit> edits) {
    for (int i = before - 1; i > after; i--) {
      edits.add(new JsonEdit.Remove(MESSAGES.index(i)));
    }
  }

  /**
   * Returns all messages of the result. If the stored messages were not read, the caller has all of
   * them.
   */
  private static ArrayNode all(Stored stored, Merge merge, List<JsonNode> wanted) {
    ArrayNode all = JsonNodeFactory.instance.arrayNode();
    if (stored.messages().isEmpty()) {
      return all.addAll(wanted);
    }
    List<JsonNode> present = stored.messages().get();
    for (int i = 0; i < merge.size(); i++) {
      all.add((merge.isStored(i) ? present : wanted).get(merge.source(i)));
    }
    return all;
  }

  private Stored load(String id) {
    @Nullable JsonNode document;
    try {
      document = documents.load(id).orElse(null);
    } catch (RowNotFoundException e) {
      return new Stored(Place.NO_ROW);
    }
    if (document == null) {
      return new Stored(Place.NULL);
    }
    List<JsonNode> messages = new ArrayList<>();
    document.path("messages").forEach(messages::add);
    return new Stored(
        Place.DOCUMENT,
        document.path("version").asLong(0),
        Digests.of(messages),
        Optional.of(Collections.unmodifiableList(messages)));
  }

  private static String checked(String id) {
    return checked("conversation", id);
  }

  /**
   * Rejects an id that cannot be a key.
   *
   * @param what the id names, for the message
   * @param id to check
   * @return the id
   * @throws IllegalArgumentException if the id has more than 2,600 bytes, or contains a zero
   *     character
   */
  public static String checked(String what, String id) {
    if (id.indexOf('\0') >= 0) {
      throw new IllegalArgumentException("the id of a " + what + " contains a zero character");
    }
    int bytes = id.getBytes(StandardCharsets.UTF_8).length;
    if (bytes > MAX_ID_BYTES) {
      throw new IllegalArgumentException(
          "the id of a " + what + " has " + bytes + " bytes; the maximum is " + MAX_ID_BYTES);
    }
    return id;
  }

  /**
   * Reads the JSON text of a message. Floating-point numbers keep a fraction, because PostgreSQL
   * would return 1.0E10 as an integer.
   *
   * @param json the text
   * @return the message
   * @throws io.pgtoaster.error.InvalidJsonException if PostgreSQL cannot store it
   */
  public static JsonNode parse(String json) {
    return Fractions.keep(Json.readTree(json));
  }
}
