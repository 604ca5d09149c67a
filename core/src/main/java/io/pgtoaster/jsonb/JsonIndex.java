package io.pgtoaster.jsonb;

import io.pgtoaster.column.JsonSearch;
import io.pgtoaster.internal.json.JsonbText;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A search index of a column of documents, for {@code Catalog.createIndex}. Immutable.
 *
 * @param kind the searches that it supports
 * @param config text search configuration, such as {@code english}; null unless the kind is text
 * @param paths paths such as {@code variants[*].price}, up to 20; empty unless the kind is path
 * @param fastUpdate whether changes wait in GIN's pending list (its storage parameter {@code
 *     fastupdate}); null for the server's default
 * @param online whether it is created without blocking writers, as by {@code CREATE INDEX
 *     CONCURRENTLY}, which cannot run in a transaction
 */
public record JsonIndex(
    Kind kind,
    @Nullable String config,
    List<String> paths,
    @Nullable Boolean fastUpdate,
    boolean online) {
  /** The kind of search that an index supports. */
  public enum Kind {
    /** Finds the documents that contain a value: {@code document @> value}. */
    CONTAINMENT,
    /** Finds the documents with a value in a range, at one of the paths of the index. */
    PATH,
    /** Finds the documents whose strings contain words. */
    TEXT;

    /** Returns the name of the kind in SQL, in lower case. */
    public String sqlName() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * Checks that a text index has a configuration and a path index has paths, and that no other
   * index has them.
   */
  public JsonIndex {
    if ((kind == Kind.TEXT) != (config != null)) {
      throw new IllegalArgumentException(
          "only a text index has a configuration: kind " + kind + ", configuration " + config);
    }
    paths = List.copyOf(paths);
    if ((kind == Kind.PATH) == paths.isEmpty()) {
      throw new IllegalArgumentException(
          "only a path index has paths, at least one: kind " + kind + ", paths " + paths);
    }
  }

  /** Returns an index for {@link JsonSearch#contains}. */
  public static JsonIndex containment() {
    return new JsonIndex(Kind.CONTAINMENT, null, List.of(), null, false);
  }

  /**
   * Returns an index for {@link JsonSearch#text} with a text search configuration of the database.
   */
  public static JsonIndex text(String config) {
    return new JsonIndex(
        Kind.TEXT, Objects.requireNonNull(config, "config"), List.of(), null, false);
  }

  /**
   * Returns an index for {@link JsonSearch#range}. A column has one path index, with up to 20
   * paths.
   *
   * @param paths such as {@code variants[*].price}; see {@link io.pgtoaster.column.JsonRange}
   */
  public static JsonIndex path(String... paths) {
    return new JsonIndex(Kind.PATH, null, List.of(paths), null, false);
  }

  /**
   * Returns the same index with a different setting of {@code fastupdate}: whether changes wait in
   * the pending list.
   */
  public JsonIndex withFastUpdate(boolean wait) {
    return new JsonIndex(kind, config, paths, wait, online);
  }

  /** Returns its options in the form that {@code pgtoaster.create_index} takes. */
  public String options() {
    ObjectNode options = JsonNodeFactory.instance.objectNode();
    if (config != null) {
      options.put("config", config);
    }
    if (fastUpdate != null) {
      options.put("fastupdate", fastUpdate);
    }
    if (!paths.isEmpty()) {
      paths.forEach(options.putArray("paths")::add);
    }
    return JsonbText.text(options);
  }

  /** Returns the same index, created without blocking writers. */
  public JsonIndex withOnline() {
    return new JsonIndex(kind, config, paths, fastUpdate, true);
  }
}
