package io.pgtoaster.jsonb.keyed.check;

import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.error.DocumentCorruptException;
import io.pgtoaster.error.InvalidJsonException;
import io.pgtoaster.error.RowNotFoundException;
import io.pgtoaster.internal.json.Json;
import io.pgtoaster.internal.json.KeyOrder;
import io.pgtoaster.jsonb.keyed.format.Child;
import io.pgtoaster.jsonb.keyed.format.Ids;
import io.pgtoaster.jsonb.keyed.format.LeafContent;
import io.pgtoaster.jsonb.keyed.format.Markers;
import io.pgtoaster.jsonb.keyed.format.Node;
import io.pgtoaster.jsonb.keyed.store.Refusals;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Checks that the rows of a document are consistent: each branch is referenced exactly once, no
 * node is left over, and counts and keys match the inner nodes. Needs about 100 bytes per node. Not
 * thread-safe.
 */
final class Verifier {
  private static final int MAX_FINDINGS = 100;
  private static final long UNKNOWN = -1;

  /** The facts about a node that are needed after all nodes were read. */
  private record NodeFacts(
      char kind,
      boolean leaf,
      long count,
      String first,
      String last,
      Ids kids,
      List<Child> children) {}

  private final List<String> findings = new ArrayList<>();
  private final Map<Long, NodeFacts> nodes = new HashMap<>();
  private final Map<Long, String> visited = new HashMap<>();
  private final Set<Long> damaged = new HashSet<>();
  private String place = "";
  private boolean there;
  private @Nullable String stub;
  private @Nullable Long document;
  private long strangers;

  /** Sets the owner's row, and the number of its head if the header names a head of that row. */
  void row(@Nullable String stored, @Nullable Long head) {
    there = true;
    stub = stored;
    document = head;
  }

  /** Adds a node of one of the row's heads, in the columns of {@link Node#read}. */
  void node(long of, ResultSet row) throws SQLException {
    if (document == null || of != document) {
      strangers++;
      return;
    }
    try {
      node(Node.read(row));
    } catch (DocumentCorruptException e) {
      find(String.valueOf(e.getMessage()));
      damaged.add(row.getLong(1));
    } catch (InvalidJsonException | StackOverflowError e) {
      long id = row.getLong(1);
      find("the value of leaf " + id + " cannot be read: " + why(e));
      damaged.add(id);
    }
  }

  private void node(Node node) {
    String text = node.text();
    if (text == null) {
      long total = node.children().stream().mapToLong(Child::count).sum();
      Ids kids = new Ids();
      node.children().forEach(c -> kids.add(c.id()));
      nodes.put(
          node.id(),
          new NodeFacts(
              node.kind(),
              false,
              total,
              LeafContent.NO_LOW,
              LeafContent.NO_LOW,
              kids,
              node.children()));
      return;
    }
    JsonNode value = Json.readStored(text);
    Ids named = new Ids();
    Markers.forEach(value, named::add);
    findFalseMarkers(value);
    if (!named.literal().equals(node.kids().literal())) {
      find("leaf " + node.id() + " does not refer to the branches in its list");
    }
    char kind = value.isArray() ? 'a' : value.isObject() ? 'o' : value.isString() ? 's' : 'v';
    if (kind != node.kind()) {
      find("leaf " + node.id() + " does not have the kind that its row states");
    }
    String first = LeafContent.NO_LOW;
    String last = LeafContent.NO_LOW;
    if (kind == 'o' && !value.isEmpty()) {
      // A server with a different encoding sorts in a different order.
      first = code(Collections.min(value.propertyNames(), KeyOrder.JSONB));
      last = code(Collections.max(value.propertyNames(), KeyOrder.JSONB));
    }
    nodes.put(node.id(), new NodeFacts(kind, true, value.size(), first, last, named, List.of()));
  }

  /** Finds markers that do not name a branch (written by hand). */
  private void findFalseMarkers(JsonNode value) {
    if (value.has(Markers.KEY) && Markers.branch(value) == null) {
      find("a marker in the document does not name a branch");
    } else if (value.isContainer()) {
      value.forEach(this::findFalseMarkers);
    }
  }

  /** Returns the reason; a StackOverflowError, from values nested too deeply, has no message. */
  private static String why(Throwable e) {
    return e.getMessage() == null ? "it is nested too deeply" : e.getMessage();
  }

  private static String code(String key) {
    return HexFormat.of().formatHex(KeyOrder.code(key));
  }

  private void find(String finding) {
    if (findings.size() < MAX_FINDINGS) {
      findings.add(place + finding);
    }
  }

  List<String> findings() {
    if (!there) {
      throw new RowNotFoundException("there is no row with that key");
    }
    try {
      look();
    } catch (InvalidJsonException | StackOverflowError e) {
      find("cannot be read: " + why(e));
    }
    return findings;
  }

  private void look() {
    String text = stub;
    JsonNode root = text == null ? null : Json.readStored(text);
    JsonNode header = root == null || !root.isObject() ? null : root.get(Markers.KEY);
    if (header != null && document == null) {
      find(Refusals.NOT_OWNED);
      return;
    }
    if (strangers > 0) {
      find(strangers + " nodes belong to heads of this row to which its stub does not refer");
    }
    if (root == null || header == null) {
      return;
    }
    for (var member : root.properties()) {
      if (!member.getKey().equals(Markers.KEY)) {
        inRow(member.getValue(), DocumentPath.root().key(Markers.unescape(member.getKey())));
      }
    }
    JsonNode overflow = header.get(1);
    if (overflow != null) {
      Long number = Markers.number(overflow);
      place = "the other members of the root: ";
      branch(number == null ? -1 : number, '-', null, null);
    }
    place = "";
    if (!nodes.isEmpty()) {
      find(
          "%s nodes are not referenced, for example %s"
              .formatted(nodes.size(), nodes.keySet().iterator().next()));
    }
  }

  /** Checks a value in the row; findings begin with its path. */
  private void inRow(JsonNode value, DocumentPath path) {
    if (value.has(Markers.KEY)) {
      place = path + ": ";
      Long branch = Markers.branch(value);
      if (branch != null) {
        branch(branch, '-', null, null);
      } else {
        Long meant = Markers.number(value.get(Markers.KEY));
        String now = meant == null ? "refers to no branch" : "referred to branch " + meant;
        find("the marker of an out-of-line member was changed there, and " + now);
      }
    } else if (value.isObject()) {
      value.properties().forEach(m -> inRow(m.getValue(), path.key(Markers.unescape(m.getKey()))));
    } else {
      for (int i = 0; i < value.size(); i++) {
        inRow(value.get(i), path.index(i));
      }
    }
  }

  /**
   * Visits a node and its descendants, and removes them from the unvisited nodes; returns the
   * number of elements, or UNKNOWN.
   */
  private long branch(long id, char kind, @Nullable String low, @Nullable String high) {
    NodeFacts node = nodes.remove(id);
    if (node == null && damaged.contains(id)) {
      return UNKNOWN;
    }
    if (node == null) {
      String first = visited.get(id);
      String what = first == null ? "is missing" : "has two references";
      find(
          "node "
              + id
              + " "
              + what
              + (first == null || first.isEmpty() ? "" : ", first by " + first));
      return 0;
    }
    visited.put(id, place.isEmpty() ? "" : place.substring(0, place.length() - 2));
    if (kind != '-' && kind != node.kind()) {
      find("node " + id + " does not have the kind of the node above it");
    }
    if (node.leaf()) {
      boolean tooLow = low != null && !node.first().isEmpty() && node.first().compareTo(low) < 0;
      boolean tooHigh = high != null && !node.last().isEmpty() && node.last().compareTo(high) >= 0;
      if (tooLow || tooHigh) {
        find("leaf " + id + " contains keys that belong to another leaf");
      }
      for (int i = 0; i < node.kids().size(); i++) {
        branch(node.kids().get(i), '-', null, null);
      }
      return node.count();
    }
    List<Child> children = node.children();
    for (int i = 0; i < children.size(); i++) {
      Child child = children.get(i);
      boolean object = node.kind() == 'o';
      @Nullable String from = object && i > 0 ? child.low() : low;
      @Nullable String to = object && i + 1 < children.size() ? children.get(i + 1).low() : high;
      long count = branch(child.id(), node.kind(), from, to);
      if (node.kind() == 'a' && count != child.count() && count != UNKNOWN) {
        find(
            "node %s counts %s elements in node %s, which has %s"
                .formatted(id, child.count(), child.id(), count));
      }
    }
    return node.count();
  }
}
