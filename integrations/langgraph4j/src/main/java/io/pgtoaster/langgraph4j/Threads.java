package io.pgtoaster.langgraph4j;

import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.column.JsonEdit;
import io.pgtoaster.error.ConcurrencyException;
import io.pgtoaster.error.ConditionFailedException;
import io.pgtoaster.error.PathNotFoundException;
import io.pgtoaster.error.RowExistsException;
import io.pgtoaster.error.RowNotFoundException;
import io.pgtoaster.jsonb.DocumentColumn;
import java.lang.ref.SoftReference;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;
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

  /** Number of threads whose newest checkpoint is remembered. */
  private static final int MAX_RECENT = 100;

  private static final DocumentPath NEWEST = DocumentPath.of("newest");
  private static final DocumentPath VERSION = NEWEST.key("version");
  private static final DocumentPath OLDER = DocumentPath.of("older");

  private final DocumentColumn documents;
  private final int keepLast;

  /** The newest checkpoints of recently written threads. Other writers may have added others. */
  private final Map<String, SoftReference<ObjectNode>> recent =
      Collections.synchronizedMap(
          new LinkedHashMap<>(16, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<String, SoftReference<ObjectNode>> e) {
              return size() > MAX_RECENT;
            }
          });

  Threads(DocumentColumn documents, int keepLast) {
    this.documents = documents;
    this.keepLast = keepLast;
  }

  /** Adds a checkpoint, or replaces the one with its id if that is the newest. */
  void add(String thread, ObjectNode checkpoint) {
    write(
        thread,
        () -> {
          SoftReference<ObjectNode> reference = recent.get(thread);
          ObjectNode newest = reference == null ? null : reference.get();
          newest = newest == null ? newest(thread).orElse(null) : newest;
          if (newest == null) {
            return insert(thread, checkpoint);
          }
          return newest.get("id").equals(checkpoint.get("id"))
              ? replace(thread, checkpoint, checkpoint.get("id").asString())
              : add(thread, checkpoint, newest);
        });
  }

  /**
   * Replaces a checkpoint.
   *
   * @throws NoSuchElementException if it does not exist
   */
  void replace(String thread, String id, ObjectNode checkpoint) {
    write(thread, () -> replace(thread, checkpoint, id));
  }

  Optional<ObjectNode> newest(String thread) {
    return ifExists(() -> documents.at(thread, NEWEST).get().map(JsonNode::asObject));
  }

  Optional<History> history(String thread) {
    return ifExists(() -> documents.load(thread).map(History::new));
  }

  /** Also blocks other writers until the transaction ends. */
  Optional<History> lock(String thread, Connection connection) {
    return ifExists(
        () -> {
          documents.on(connection).lock(thread);
          return documents.on(connection).load(thread).map(History::new);
        });
  }

  private static <T> Optional<T> ifExists(Supplier<Optional<T>> read) {
    try {
      return read.get();
    } catch (RowNotFoundException e) {
      return Optional.empty();
    }
  }

  /** Stores something, and remembers what is then the newest checkpoint. */
  private void write(String thread, Supplier<ObjectNode> attempt) {
    for (int number = 1; ; number++) {
      try {
        recent.put(thread, new SoftReference<>(attempt.get()));
        return;
      } catch (ConcurrencyException
          | ConditionFailedException
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

  private ObjectNode insert(String thread, ObjectNode checkpoint) {
    ObjectNode newest = withNewVersion(checkpoint);
    ObjectNode document = JsonNodeFactory.instance.objectNode();
    document.set("newest", newest);
    document.putArray("older");
    try {
      documents.insert(thread, document);
    } catch (RowExistsException e) {
      // The row may exist without a document.
      documents.edit(thread, List.of(JsonEdit.setIfAbsent("", document)));
    }
    return newest;
  }

  private ObjectNode add(String thread, ObjectNode checkpoint, ObjectNode before) {
    ObjectNode newest = withNewVersion(checkpoint);
    List<JsonEdit> edits = edits(before, newest);
    edits.add(
        new JsonEdit.Append(
            OLDER, JsonNodeFactory.instance.arrayNode().add(older(before, newest))));
    if (keepLast < Integer.MAX_VALUE) {
      edits.add(new JsonEdit.KeepLast(OLDER, keepLast - 1));
    }
    documents.edit(thread, edits);
    return newest;
  }

  /** Replaces a checkpoint, and the difference of the next older one from it. */
  private ObjectNode replace(String thread, ObjectNode checkpoint, String id) {
    History history = history(thread).orElse(null);
    int number = history == null ? -1 : history.indexOf(id);
    if (history == null || number < 0) {
      throw new NoSuchElementException("checkpoint " + id + " does not exist");
    }
    int last = history.size() - 1;
    ObjectNode before = history.get(0).deepCopy();
    ObjectNode newest = withNewVersion(number == 0 ? checkpoint : before);
    List<JsonEdit> edits = edits(before, newest);
    if (number > 0) {
      ObjectNode entry = older(checkpoint, history.get(number - 1));
      edits.add(new JsonEdit.Set(OLDER.index(last - number), entry, false));
    }
    if (number < last) {
      ObjectNode entry = older(history.get(number + 1), checkpoint);
      edits.add(new JsonEdit.Set(OLDER.index(last - number - 1), entry, false));
    }
    documents.edit(thread, edits);
    return newest;
  }

  /** Returns the edits that replace the newest checkpoint, provided that it has not changed. */
  private static List<JsonEdit> edits(ObjectNode before, ObjectNode after) {
    JsonEdit version = new JsonEdit.Set(VERSION, after.get("version"), false);
    List<JsonEdit> edits = new ArrayList<>();
    edits.add(new JsonEdit.Conditional(version, before.get("version")));
    ObjectNode same = copy(before);
    same.set("version", after.get("version"));
    edits.addAll(Changes.between(NEWEST, same, after));
    return edits;
  }

  /** Returns a checkpoint as the difference from the next newer one. */
  private static ObjectNode older(ObjectNode checkpoint, ObjectNode newer) {
    ObjectNode entry = copy(checkpoint);
    entry.remove(List.of("state", "version"));
    entry.set("patch", Changes.patch(newer.get("state"), checkpoint.get("state")));
    return entry;
  }

  private static ObjectNode withNewVersion(ObjectNode checkpoint) {
    return copy(checkpoint).put("version", ThreadLocalRandom.current().nextLong(1, 1L << 53));
  }

  private static ObjectNode copy(ObjectNode checkpoint) {
    return JsonNodeFactory.instance.objectNode().setAll(checkpoint);
  }
}
