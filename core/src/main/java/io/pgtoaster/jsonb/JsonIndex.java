package io.pgtoaster.jsonb;

import io.pgtoaster.column.JsonSearch;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A search index of a column of documents, for {@code Catalog.createIndex}. Immutable. */
public final class JsonIndex {
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

  private final Kind kind;
  private final @Nullable String config;
  private final List<String> paths;
  private final @Nullable Boolean fastUpdate;
  private final boolean online;

  private JsonIndex(
      Kind kind,
      @Nullable String config,
      List<String> paths,
      @Nullable Boolean fastUpdate,
      boolean online) {
    this.kind = kind;
    this.config = config;
    this.paths = paths;
    this.fastUpdate = fastUpdate;
    this.online = online;
  }

  /** Returns an index for {@link JsonSearch#contains}. */
  public static JsonIndex containment() {
    return new JsonIndex(Kind.CONTAINMENT, null, List.of(), null, false);
  }

  /**
   * Returns an index for {@link JsonSearch#text} with a text search configuration of the database,
   * such as {@code english}.
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
    if (paths.length == 0) {
      throw new IllegalArgumentException("a path index needs at least one path");
    }
    return new JsonIndex(Kind.PATH, null, List.of(paths), null, false);
  }

  /**
   * Returns the same index with a different setting of {@code fastupdate}: whether changes wait in
   * a list, which each search reads. With {@code true}, the server's {@code gin_pending_list_limit}
   * applies. Without this call, the limit is at most 1 MB.
   */
  public JsonIndex withFastUpdate(boolean wait) {
    return new JsonIndex(kind, config, paths, wait, online);
  }

  /**
   * Returns the same index with a different {@code online}: whether it is created without blocking
   * writers, as by {@code CREATE INDEX CONCURRENTLY}, which cannot run in a transaction.
   */
  public JsonIndex withOnline(boolean on) {
    return new JsonIndex(kind, config, paths, fastUpdate, on);
  }

  /** Returns the searches that it supports. */
  public Kind kind() {
    return kind;
  }

  /** Returns the text search configuration; null unless the kind is text. */
  public @Nullable String config() {
    return config;
  }

  /** Returns the paths; empty unless the kind is path. */
  public List<String> paths() {
    return paths;
  }

  /** Returns whether changes wait in a list; null if they wait in a list of at most 1 MB. */
  public @Nullable Boolean fastUpdate() {
    return fastUpdate;
  }

  /** Returns whether it is created without blocking writers. */
  public boolean online() {
    return online;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof JsonIndex index
        && kind == index.kind
        && Objects.equals(config, index.config)
        && paths.equals(index.paths)
        && Objects.equals(fastUpdate, index.fastUpdate)
        && online == index.online;
  }

  @Override
  public int hashCode() {
    return Objects.hash(kind, config, paths, fastUpdate, online);
  }

  @Override
  public String toString() {
    return "JsonIndex[kind=%s, config=%s, paths=%s, fastUpdate=%s, online=%s]"
        .formatted(kind, config, paths, fastUpdate, online);
  }
}
