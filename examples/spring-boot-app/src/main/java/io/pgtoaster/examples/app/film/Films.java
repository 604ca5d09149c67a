package io.pgtoaster.examples.app.film;

import io.pgtoaster.PgToaster;
import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.column.JsonType;
import io.pgtoaster.examples.app.cost.Comparison;
import io.pgtoaster.examples.app.cost.CostMeter;
import io.pgtoaster.examples.app.cost.Measured;
import io.pgtoaster.jsonb.DocumentColumn;
import io.pgtoaster.jsonb.DocumentValue;
import io.pgtoaster.jsonb.SetOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;

/** A document, stored with pgtoaster and in a plain {@code jsonb} column. */
@Component
final class Films {
  static final int ROW = 1;
  static final int PAGE = 20;
  private static final SetOptions WHAT_IS_THERE = SetOptions.defaults().withCreateMissing(false);

  private final DocumentColumn films;
  private final PlainFilms plain;
  private final CostMeter meter;

  Films(PgToaster toaster, PlainFilms plain, CostMeter meter) {
    this.films = toaster.documents("example_film", "doc");
    this.plain = plain;
    this.meter = meter;
  }

  /** Returns a page of the object or array at a path; empty if there is neither. */
  Optional<Branch> open(DocumentPath path, @Nullable String next) {
    Measured<Optional<Page>> ours = meter.measure("example_film", () -> page(path, next));
    return ours.value()
        .map(
            page -> {
              Measured<?> theirs =
                  meter.measure("example_film_plain", () -> plain.open(path, page.array(), next));
              String what = path.isRoot() ? "Open the document" : "Open " + path;
              return new Branch(
                  page.size(),
                  page.entries(),
                  page.next(),
                  new Comparison(what, ours.cost(), theirs.cost()));
            });
  }

  private DocumentValue film(DocumentPath path) {
    return films.at(ROW, path);
  }

  private record Page(boolean array, long size, List<Entry> entries) {
    /**
     * Returns the next page's first position, or the key before it; null if this is the last page.
     */
    @Nullable String next() {
      if (entries.size() < PAGE) {
        return null;
      }
      String last = entries.get(PAGE - 1).step();
      return array ? Long.toString(Long.parseLong(last) + 1) : last;
    }
  }

  private Optional<Page> page(DocumentPath path, @Nullable String next) {
    DocumentValue value = film(path);
    OptionalLong size = value.size();
    if (size.isEmpty()) {
      return Optional.empty();
    }
    boolean array = value.type().orElseThrow() == JsonType.ARRAY;
    return Optional.of(
        new Page(array, size.getAsLong(), array ? elements(value, next) : members(path, next)));
  }

  private static List<Entry> elements(DocumentValue value, @Nullable String next) {
    long from = next == null ? 0 : Long.parseLong(next);
    if (from < 0) {
      throw new NumberFormatException("a page starts at position 0 or later");
    }
    List<Entry> entries = new ArrayList<>();
    for (JsonNode element : value.slice(from, from + PAGE).orElse(List.of())) {
      entries.add(Entry.of(Long.toString(from + entries.size()), element));
    }
    return entries;
  }

  private List<Entry> members(DocumentPath path, @Nullable String next) {
    return film(path).keys(next, PAGE).orElse(List.of()).stream()
        .map(key -> entry(key, path.key(key)))
        .toList();
  }

  private Entry entry(String key, DocumentPath path) {
    DocumentValue value = film(path);
    return switch (value.type().orElseThrow()) {
      case ARRAY -> Entry.large(key, "array");
      case OBJECT -> Entry.large(key, "object");
      default -> Entry.of(key, value.get().orElseThrow());
    };
  }

  /** Replaces the value at a path; empty if there is no value. */
  Optional<Comparison> set(DocumentPath path, JsonNode value) {
    if (!film(path).exists()) {
      return Optional.empty();
    }
    Measured<?> ours =
        meter.measure(
            "example_film",
            () -> {
              film(path).set(value, WHAT_IS_THERE);
              return path;
            });
    Measured<?> theirs = meter.measure("example_film_plain", () -> plain.set(path, value));
    return Optional.of(new Comparison("Set " + path, ours.cost(), theirs.cost()));
  }

  /** Returns the size of the document's text in bytes. */
  long bytes() {
    return films.stat(ROW).map(stat -> stat.rawBytes()).orElse(0L);
  }
}
