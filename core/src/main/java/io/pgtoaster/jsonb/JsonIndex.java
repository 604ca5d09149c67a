package io.pgtoaster.jsonb;

import io.pgtoaster.column.JsonSearch;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A search index of a column of documents, for {@code Catalog.createIndex}. Immutable.
 *
 * @param kind the searches that it supports
 * @param config text search configuration, such as {@code english}; null unless the kind is text
 * @param fastUpdate whether changes wait in GIN's pending list (its storage parameter {@code
 *     fastupdate}); null for the server's default
 * @param online whether it is created without blocking writers, as by {@code CREATE INDEX
 *     CONCURRENTLY}, which cannot run in a transaction
 */
public record JsonIndex(
    Kind kind, @Nullable String config, @Nullable Boolean fastUpdate, boolean online) {
  /** The kind of search that an index supports. */
  public enum Kind {
    /** Finds the documents that contain a value: {@code document @> value}. */
    CONTAINMENT,
    /** Finds the documents whose strings contain words. */
    TEXT;

    /** Returns the name of the kind in SQL, in lower case. */
    public String sqlName() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Checks that a text index has a configuration, and that no other index has one. */
  public JsonIndex {
    if ((kind == Kind.TEXT) != (config != null)) {
      throw new IllegalArgumentException(
          "only a text index has a configuration: kind " + kind + ", configuration " + config);
    }
  }

  /** Returns an index for {@link JsonSearch#contains}. */
  public static JsonIndex containment() {
    return new JsonIndex(Kind.CONTAINMENT, null, null, false);
  }

  /**
   * Returns an index for {@link JsonSearch#text} with a text search configuration of the database.
   */
  public static JsonIndex text(String config) {
    return new JsonIndex(Kind.TEXT, Objects.requireNonNull(config, "config"), null, false);
  }

  /**
   * Returns the same index with a different setting of {@code fastupdate}: whether changes wait in
   * the pending list.
   */
  public JsonIndex withFastUpdate(boolean wait) {
    return new JsonIndex(kind, config, wait, online);
  }

  /** Returns the same index, created without blocking writers. */
  public JsonIndex withOnline() {
    return new JsonIndex(kind, config, fastUpdate, true);
  }
}
