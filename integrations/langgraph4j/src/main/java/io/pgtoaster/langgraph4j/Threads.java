package io.pgtoaster.langgraph4j;

import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.column.JsonEdit;
import io.pgtoaster.error.ConcurrencyException;
import io.pgtoaster.error.PathNotFoundException;
import io.pgtoaster.error.RowExistsException;
import io.pgtoaster.error.RowNotFoundException;
import io.pgtoaster.jsonb.DocumentColumn;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The threads of a graph, one document each. Thread-safe.
 *
 * <p>The document is <code>{"newest": {"version": 1234, "id": .., "node": .., "next": .., "state":
 * ..}, "older": [..]}</code>. The older checkpoints, oldest first, have a "patch" in place of the
 * state: it changes the state of the next newer checkpoint into theirs. So the oldest checkpoints
 * can be removed without changing others. Each write sets a new random version, and expects the
 * version that it knows.
 */
final class Threads {
  private static final int MAX_ATTEMPTS = 100;

  private static final DocumentPath NEWEST = DocumentPath.of("newest");
  private static final DocumentPath VERSION = NEWEST.key("version");
  private static final DocumentPath STATE = NEWEST.key("state");
  private static final DocumentPath OLDER = DocumentPath.of("older");

  private final DocumentColumn documents;
  private final int keepLast;
  private final Recent recent = new Recent();

  /**
   * The newest checkpoint of a thread.
   *
   * @param version of its document
   */
  record Newest(long version, Entry entry) {}

  Threads(DocumentColumn documents, int keepLast) {
    this.documents = documents;
    this.keepLast = keepLast;
  }

  /** Adds a checkpoint, or replaces the one with its id if that is the newest. */
  void add(String thread, Entry entry) {
    write(
        thread,
        () -> {
          Newest known = recent.get(thread);
          known = known == null ? load(thread) : known;
          if (known == null) {
            return insert(thread, entry);
          }
          return known.entry().id().equals(entry.id())
              ? store(thread, entry.id(), entry)
              : store(thread, known, entry);
        });
  }

  /**
   * Replaces a checkpoint.
   *
   * @throws NoSuchElementException if it does not exist
   */
  void replace(String thread, String id, Entry entry) {
    write(thread, () -> store(thread, id, entry));
  }

  Optional<Entry> newest(String thread) {
    return Optional.ofNullable(load(thread)).map(Newest::entry);
  }

  Optional<History> history(String thread) {
    try {
      return documents.load(thread).map(History::new);
    } catch (RowNotFoundException e) {
      return Optional.empty();
    }
  }

  /** Returns these threads on a connection, in its transaction. */
  Threads on(Connection connection) {
    return new Threads(documents.on(connection), keepLast);
  }

  /** Blocks other writers of a thread until the transaction ends; false if it does not exist. */
  boolean lock(String thread) {
    try {
      documents.lock(thread);
      return true;
    } catch (RowNotFoundException e) {
      return false;
    }
  }

  private void write(String thread, Supplier<Newest> attempt) {
    for (int number = 1; ; number++) {
      try {
        recent.put(thread, attempt.get());
        return;
      } catch (ConcurrencyException
          | RowExistsException
          | RowNotFoundException
          | PathNotFoundException e) {
        recent.remove(thread);
        if (number == MAX_ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  private @Nullable Newest load(String thread) {
    try {
      return documents
          .at(thread, NEWEST)
          .get()
          .map(
              newest ->
                  new Newest(
                      newest.get("version").asLong(), Entry.read(newest, newest.get("state"))))
          .orElse(null);
    } catch (RowNotFoundException e) {
      return null;
    }
  }

  private Newest store(String thread, Newest known, Entry entry) {
    Newest newest = new Newest(newVersion(), entry);
    List<JsonEdit> edits = edits(known, newest);
    ArrayNode added = JsonNodeFactory.instance.arrayNode().add(known.entry().before(entry));
    edits.add(new JsonEdit.Append(OLDER, added));
    if (keepLast < Integer.MAX_VALUE) {
      edits.add(new JsonEdit.KeepLast(OLDER, keepLast - 1));
    }
    documents.edit(thread, edits);
    return newest;
  }

  private Newest insert(String thread, Entry entry) {
    Newest newest = new Newest(newVersion(), entry);
    ObjectNode document = JsonNodeFactory.instance.objectNode();
    ObjectNode members = entry.members().put("version", newest.version());
    members.set("state", entry.state());
    document.set("newest", members);
    document.putArray("older");
    try {
      documents.insert(thread, document);
    } catch (RowExistsException e) {
      // The row may exist without a document.
      JsonEdit whole = new JsonEdit.Set(DocumentPath.root(), document, true);
      documents.edit(thread, List.of(new JsonEdit.Conditional(whole, null)));
    }
    return newest;
  }

  /** Replaces a checkpoint, and the difference of the next older one from it. */
  private Newest store(String thread, String id, Entry entry) {
    History history = history(thread).orElseThrow(() -> notFound(id));
    int number = history.indexOf(id);
    if (number < 0) {
      throw notFound(id);
    }
    Newest before = new Newest(history.version(), history.get(0).copy());
    List<JsonEdit> edits;
    Newest after;
    int last = history.size() - 1;
    if (number == 0) {
      after = new Newest(newVersion(), entry);
      edits = edits(before, after);
    } else {
      after = new Newest(newVersion(), before.entry());
      edits = new ArrayList<>(List.of(version(before, after)));
      Entry newer = history.get(number - 1).copy();
      edits.add(new JsonEdit.Set(OLDER.index(last - number), entry.before(newer), true));
    }
    if (number < last) {
      Entry older = history.get(number + 1);
      edits.add(new JsonEdit.Set(OLDER.index(last - number - 1), older.before(entry), true));
    }
    documents.edit(thread, edits);
    return after;
  }

  private static NoSuchElementException notFound(String id) {
    return new NoSuchElementException("checkpoint " + id + " does not exist");
  }

  /** Returns the edits that replace the newest checkpoint, provided that it has not changed. */
  private static List<JsonEdit> edits(Newest before, Newest after) {
    List<JsonEdit> edits = new ArrayList<>();
    edits.add(version(before, after));
    edits.add(new JsonEdit.SetMembers(NEWEST, after.entry().members()));
    edits.addAll(Edits.between(STATE, before.entry().state(), after.entry().state()));
    return edits;
  }

  private static JsonEdit version(Newest before, Newest after) {
    JsonNodeFactory nodes = JsonNodeFactory.instance;
    return new JsonEdit.Conditional(
        new JsonEdit.Set(VERSION, nodes.numberNode(after.version()), true),
        nodes.numberNode(before.version()));
  }

  private static long newVersion() {
    return ThreadLocalRandom.current().nextLong(1, 1L << 53);
  }
}
