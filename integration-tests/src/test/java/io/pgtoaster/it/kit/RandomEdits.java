package io.pgtoaster.it.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.column.JsonEdit;
import io.pgtoaster.column.JsonType;
import io.pgtoaster.error.InvalidPathException;
import io.pgtoaster.internal.json.Json;
import io.pgtoaster.internal.json.JsonbText;
import io.pgtoaster.jsonb.DocumentColumn;
import io.pgtoaster.jsonb.DocumentValue;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/**
 * Random operations on one document, each by one of several executors, compared with plain jsonb.
 */
public final class RandomEdits implements RandomRuns.Steps {
  private static final int MOST = 60_000;
  private static final int VERIFY_EVERY = 25;

  /**
   * How often a large document is compared as a whole; at other times, only the changed parts are
   * compared.
   */
  private static final int WHOLE_EVERY = 20;

  /** The number of characters up to which a document is compared as a whole after every step. */
  private static final int SMALL = 3_000;

  private final DocumentFixture fx;
  private final List<DocumentColumn> executors;
  private final Random random;
  private final RandomParts json;
  private final PlainJsonb plain;
  private final long seed;
  private final Object key;
  private String model;
  private int number;
  private DocumentColumn documents;

  public RandomEdits(DocumentFixture fx, List<DocumentColumn> executors, long seed) {
    this.fx = fx;
    this.executors = List.copyOf(executors);
    this.documents = executors.get(0);
    this.seed = seed;
    this.random = new Random(seed);
    this.json = new RandomParts(random);
    this.plain = new PlainJsonb(fx.connect());
    this.model = "{}";
    this.key = fx.row(model);
  }

  @Override
  public Runnable remember() {
    String before = model;
    return () -> model = before;
  }

  /** Executes one operation and compares. */
  @Override
  public void step() {
    number++;
    takeTurns();
    int kind = random.nextInt(100);
    String what = "seed " + seed + ", operation " + number + " (" + kind + ")";
    try {
      JsonNode tree = Json.readTree(model);
      DocumentPath path = new DocumentPath(json.path(tree));
      what += " at " + path + " of " + model.length() + " characters";
      if (model.length() > MOST || kind < 3) {
        put();
      } else if (kind < 5) {
        merge(tree);
      } else if (kind < 7) {
        documents.compact(key);
      } else if (kind < 75) {
        edit(edit(path));
      }
      takeTurns();
      read(path, new DocumentPath(json.path(tree)));
      if (model.length() < SMALL || number % WHOLE_EVERY == 0) {
        assertThat(text(DocumentPath.root())).contains(model);
      }
      if (number % VERIFY_EVERY == 0) {
        assertThat(documents.verify(key)).isEmpty();
      }
    } catch (RuntimeException | AssertionError e) {
      throw new AssertionError(what, e);
    }
  }

  private void takeTurns() {
    documents = executors.get(random.nextInt(executors.size()));
  }

  @Override
  public void finish() {
    assertThat(fx.document(key)).as("seed %d", seed).isEqualTo(model);
    assertThat(fx.own().verify(key)).as("seed %d", seed).isEmpty();
  }

  private int parts() {
    return switch (random.nextInt(8)) {
      case 0 -> 200;
      case 1, 2 -> 20;
      default -> 1 + random.nextInt(4);
    };
  }

  private void put() {
    String text = JsonbText.text(random.nextInt(6) == 0 ? json.value(300) : json.object(500));
    documents.putJson(key, text);
    model = plain.canonical(text);
  }

  /** Merges members at the root, where a merge works like {@code ||}. */
  private void merge(JsonNode tree) {
    if (!tree.isObject()) {
      return;
    }
    String name = json.key();
    JsonNode value = Json.readTree("[" + json.number() + "]");
    documents.merge(key, Json.mapper().createObjectNode().set(name, value));
    model = plain.edit(model, new JsonEdit.Set(DocumentPath.of(name), value, true));
  }

  private JsonEdit edit(DocumentPath path) {
    return switch (random.nextInt(10)) {
      case 0, 1 -> new JsonEdit.Set(path, json.value(parts()), random.nextInt(4) > 0);
      case 2 -> new JsonEdit.Set(path, json.value(parts()), true, true);
      case 3, 4 -> new JsonEdit.Insert(path, json.value(parts()), random.nextBoolean());
      case 5 -> new JsonEdit.Append(path, elements(json.value(parts())));
      case 6, 7 -> new JsonEdit.Remove(path);
      case 8 -> new JsonEdit.KeepLast(path, random.nextInt(random.nextBoolean() ? 5 : 200));
      default -> new JsonEdit.Increment(path, json.number());
    };
  }

  private void edit(JsonEdit edit) {
    if (edit.path().isRoot() && DocumentEdits.needsPlace(edit)) {
      return;
    }
    if (edit instanceof JsonEdit.KeepLast keep && random.nextBoolean()) {
      keepWindow(keep);
      return;
    }
    String expected = plain.edit(model, edit);
    if (expected == null) {
      assertThat(catchThrowable(() -> DocumentEdits.tryApply(documents.at(key, edit.path()), edit)))
          .isInstanceOf(InvalidPathException.class);
      return;
    }
    Object result = DocumentEdits.tryApply(documents.at(key, edit.path()), edit);
    if (edit instanceof JsonEdit.Increment) {
      assertThat(result)
          .isEqualTo(result == null ? null : new BigDecimal(plain.get(expected, edit.path())));
      assertThat(result == null).isEqualTo(expected.equals(model));
    } else if (!expected.equals(model)) {
      assertThat(result).isEqualTo(true);
    }
    model = expected;
  }

  /** Removes elements from the start of an array and appends others, in one edit. */
  private void keepWindow(JsonEdit.KeepLast keep) {
    if (documents.at(key, keep.path()).type().orElse(null) != JsonType.ARRAY) {
      return;
    }
    ArrayNode added = elements(json.value(parts()));
    JsonEdit append = new JsonEdit.Append(keep.path(), added);
    model = plain.edit(plain.edit(model, keep), append);
    documents
        .at(key, keep.path())
        .appendKeepingLast(keep.elements() + added.size(), added.valueStream().toArray());
  }

  private static ArrayNode elements(JsonNode value) {
    return value instanceof ArrayNode array ? array : Json.mapper().createArrayNode().add(value);
  }

  private Optional<String> text(DocumentPath path) {
    return documents.at(key, path).text().map(Documents::canonical);
  }

  /** Compares the value at the changed path, and all results of calls at another path. */
  private void read(DocumentPath changed, DocumentPath path) {
    int from = random.nextInt(30);
    int to = from + random.nextInt(30);
    PlainJsonb.Seen seen = plain.look(model, changed, path, from, to);
    assertThat(text(changed)).isEqualTo(seen.changed());
    assertThat(text(path)).isEqualTo(seen.text());
    DocumentValue value = documents.at(key, path);
    assertThat(value.type().map(t -> t.name().toLowerCase(java.util.Locale.ROOT)))
        .isEqualTo(seen.type());
    assertThat(value.size()).isEqualTo(seen.size());
    assertThat(value.keys().map(k -> JsonbText.text(Json.toTree(k)))).isEqualTo(seen.keys());
    assertThat(value.slice(from, to).map(e -> JsonbText.text(Json.toTree(e))))
        .isEqualTo(seen.slice());
  }
}
