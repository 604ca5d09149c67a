package io.pgtoaster.jsonb.keyed.build;

import io.pgtoaster.internal.json.Json;
import io.pgtoaster.internal.json.JsonbSize;
import io.pgtoaster.internal.json.JsonbText;
import io.pgtoaster.internal.json.KeyOrder;
import io.pgtoaster.jsonb.keyed.format.Fragment;
import io.pgtoaster.jsonb.keyed.format.Markers;
import io.pgtoaster.jsonb.keyed.format.PinnedPaths;
import io.pgtoaster.jsonb.keyed.format.SplitPolicy;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Builds the stub of a document, or the plain document if it fits into its row. Moves members out,
 * largest first, each into its own branch. If there are many members that are not large, they share
 * one branch, the overflow branch. If too many members remain, all but the smallest are moved
 * there. Pinned members stay in the row; the budget applies only to the others. Not thread-safe.
 */
public final class StubBuilder {
  /** The content to store in the row. */
  public record Stub(String text, boolean split) {}

  /** Names the document when a name is needed. */
  @FunctionalInterface
  public interface Naming {
    long document() throws SQLException;
  }

  /** Members that stay: values, or objects with a pinned part. */
  private static final class Kept {
    final TreeMap<String, Object> members = new TreeMap<>(KeyOrder.JSONB);
  }

  /** A member that may be moved out. */
  private record Candidate(Kept parent, String key, Fragment value) {}

  private static final int MAX_CHARS = 1 << 20;
  private static final Fragment EMPTY = Fragment.scalar("null", 0);

  private final SplitPolicy policy;
  private final Builder builder;
  private final Naming naming;
  private final long budget;
  private final List<Candidate> candidates = new ArrayList<>();
  private long total = JsonbSize.DATUM;
  private boolean split;
  private @Nullable SortedMembers many;
  private long chars;

  /**
   * Creates a builder.
   *
   * @param builder builds the values
   * @param naming names the document
   * @param budget maximum bytes of the stub
   */
  public StubBuilder(SplitPolicy policy, Builder builder, Naming naming, long budget) {
    this.policy = policy;
    this.builder = builder;
    this.naming = naming;
    this.budget = budget;
  }

  /** Reads a document at the parser's current token. */
  public Stub read(JsonParser parser) throws SQLException {
    if (parser.currentToken() != JsonToken.START_OBJECT) {
      return scalarOrArray(builder.read(parser, false));
    }
    try {
      return object(parser);
    } catch (JacksonException | NumberFormatException e) {
      throw Json.failure(e);
    } finally {
      if (many != null) {
        many.close();
      }
    }
  }

  private Stub object(JsonParser parser) throws SQLException {
    Kept root = new Kept();
    members(parser, root, List.of());
    collect(root, List.of());
    split |= builder.escapes();
    String overflow = many == null ? "" : overflow(many);
    if (total + (split ? SplitPolicy.MARKER : 0) > budget) {
      overflow = moveOut(root, overflow);
    }
    if (split) {
      root.members.put(
          Markers.KEY,
          Fragment.scalar("[" + naming.document() + overflow + "]", SplitPolicy.MARKER));
    }
    return new Stub(text(root), split);
  }

  private Stub scalarOrArray(Fragment value) throws SQLException {
    boolean fits =
        value.kids().isEmpty()
            && !builder.escapes()
            && value.size() + JsonbSize.DATUM <= Math.max(budget, 2 * SplitPolicy.MARKER);
    if (fits) {
      return new Stub(value.text(), false);
    }
    long overflow = builder.branch(value).kids().get(0);
    return new Stub(
        "{\"" + Markers.KEY + "\": [" + naming.document() + ", " + overflow + "]}", true);
  }

  private void members(JsonParser parser, Kept into, List<String> path) throws SQLException {
    while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
      String key = builder.key(parser.currentName());
      List<String> memberPath = new ArrayList<>(path);
      memberPath.add(key);
      JsonToken token = parser.nextToken();
      PinnedPaths.Pin pin = policy.pinned().of(memberPath);
      if (pin == PinnedPaths.Pin.PARTLY && token == JsonToken.START_OBJECT) {
        Kept kept = new Kept();
        members(parser, kept, memberPath);
        replace(into, key, kept);
      } else {
        Fragment value = builder.read(parser, pin == PinnedPaths.Pin.WHOLE);
        if (pin != PinnedPaths.Pin.WHOLE
            && value.size() > budget
            && policy.movesOutOfLeaf(value.size())) {
          // It fits neither in the row nor in a shared leaf. Move it to its own branch now, to free
          // its memory.
          value = builder.branch(value);
        }
        if (many != null && path.isEmpty() && pin == PinnedPaths.Pin.NONE) {
          addToMany(many, key, value);
        } else {
          replace(into, key, value);
          chars += pin == PinnedPaths.Pin.WHOLE ? 0 : key.length() + value.text().length();
          if (many == null && path.isEmpty() && chars > MAX_CHARS) {
            becomeMany(into);
          }
        }
      }
    }
  }

  private void replace(Kept into, String key, Object value) {
    Object before = into.members.put(key, value);
    if (before instanceof Fragment fragment) {
      builder.dropped().addAll(fragment.kids());
    } else if (before instanceof Kept kept) {
      kept.members.keySet().forEach(k -> replace(kept, k, EMPTY));
    }
  }

  /** Moves all members that are not pinned into the overflow branch, because there are too many. */
  private void becomeMany(Kept root) throws SQLException {
    SortedMembers all = builder.members();
    many = all;
    var members = root.members.entrySet().iterator();
    while (members.hasNext()) {
      var member = members.next();
      if (member.getValue() instanceof Fragment value
          && policy.pinned().of(List.of(member.getKey())) == PinnedPaths.Pin.NONE) {
        addToMany(all, member.getKey(), value);
        members.remove();
      }
    }
    split = true;
  }

  private void addToMany(SortedMembers all, String key, Fragment value) throws SQLException {
    all.add(key, policy.movesOutOfLeaf(value.size()) ? builder.branch(value) : value);
  }

  /** Adds up the size of the members that are not pinned, and lists those that may be moved out. */
  private void collect(Kept kept, List<String> path) {
    total += JsonbSize.CONTAINER;
    for (Map.Entry<String, Object> member : kept.members.entrySet()) {
      List<String> memberPath = new ArrayList<>(path);
      memberPath.add(member.getKey());
      if (member.getValue() instanceof Kept inner) {
        total += JsonbSize.key(member.getKey()) + JsonbSize.DATUM;
        collect(inner, memberPath);
      } else if (member.getValue() instanceof Fragment value) {
        split |= !value.kids().isEmpty();
        if (policy.pinned().of(memberPath) != PinnedPaths.Pin.WHOLE) {
          total += memberSize(member.getKey(), value);
          if (!value.marker()) {
            candidates.add(new Candidate(kept, member.getKey(), value));
          }
        }
      }
    }
  }

  /**
   * Moves members out of the row; returns the overflow branch, which contains many members that are
   * not large.
   */
  private String moveOut(Kept root, String overflow) throws SQLException {
    List<Long> sizes = candidates.stream().map(c -> c.value().size()).toList();
    List<Candidate> movedOut =
        SplitPolicy.movedOut(sizes, total + SplitPolicy.MARKER, budget).stream()
            .map(candidates::get)
            .toList();
    Set<String> together =
        movedOut.stream()
            .filter(c -> c.parent() == root && !policy.movesOutOfLeaf(c.value().size()))
            .map(Candidate::key)
            .collect(Collectors.toSet());
    if (!overflow.isEmpty() || together.size() <= SplitPolicy.MAX_BRANCHES) {
      together = Set.of();
    }
    for (Candidate c : movedOut) {
      if (c.parent() != root || !together.contains(c.key())) {
        c.parent().members.put(c.key(), builder.branch(c.value()));
        split = true;
      }
    }
    return overflow.isEmpty() ? overflow(root, together) : overflow;
  }

  /**
   * Moves members of the root into the overflow branch, and then further members, largest first, if
   * the others do not fit together. Members that must stay are not counted, because moving other
   * members would not help.
   */
  private String overflow(Kept root, Set<String> first) throws SQLException {
    SortedMembers overflow = builder.members();
    for (String key : first) {
      moveTo(overflow, root, key);
    }
    Map<String, Long> sizes = new HashMap<>();
    for (Map.Entry<String, Object> member : root.members.entrySet()) {
      if (member.getValue() instanceof Fragment value
          && policy.pinned().of(List.of(member.getKey())) != PinnedPaths.Pin.WHOLE) {
        sizes.put(member.getKey(), memberSize(member.getKey(), value));
      }
    }
    long room = policy.smallBudget(budget);
    long left =
        JsonbSize.DATUM
            + JsonbSize.CONTAINER
            + sizes.values().stream().mapToLong(Long::longValue).sum();
    if (left > room) {
      List<String> bySize =
          root.members.keySet().stream()
              .filter(sizes::containsKey)
              .sorted(Comparator.comparingLong(key -> -sizes.getOrDefault(key, 0L)))
              .toList();
      for (String key : bySize) {
        if (left <= room / 2) {
          break;
        }
        moveTo(overflow, root, key);
        left -= sizes.getOrDefault(key, 0L);
      }
    }
    return overflow.isEmpty() ? "" : overflow(overflow);
  }

  private void moveTo(SortedMembers overflow, Kept root, String key) throws SQLException {
    if (root.members.remove(key) instanceof Fragment value) {
      addToMany(overflow, key, value);
      split = true;
    }
  }

  private String overflow(SortedMembers members) throws SQLException {
    try (members) {
      return ", " + builder.branch(builder.object(members, false)).kids().get(0);
    }
  }

  private static long memberSize(String key, Fragment value) {
    return JsonbSize.key(key) + JsonbSize.DATUM + value.size();
  }

  private static String text(Kept kept) {
    StringBuilder text = new StringBuilder("{");
    write(kept, text);
    return text.append('}').toString();
  }

  private static void write(Kept kept, StringBuilder text) {
    String separator = "";
    for (Map.Entry<String, Object> member : kept.members.entrySet()) {
      text.append(separator);
      separator = ", ";
      JsonbText.string(member.getKey(), text);
      text.append(": ");
      if (member.getValue() instanceof Fragment value) {
        text.append(value.text());
      } else if (member.getValue() instanceof Kept inner) {
        text.append('{');
        write(inner, text);
        text.append('}');
      }
    }
  }
}
