package io.pgtoaster.jsonb.keyed;

import io.pgtoaster.internal.json.KeyOrder;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/**
 * Puts the changed content of a leaf back into its branch: the leaf splits or goes, and what leads
 * to it follows. The root of the branch keeps its number.
 */
final class BranchEdit {
  private final SplitPolicy policy;
  private final NodeWriter writer;
  private final Ids removed = new Ids();

  BranchEdit(SplitPolicy policy, NodeWriter writer) {
    this.policy = policy;
    this.writer = writer;
  }

  /** Nodes that are no longer part of the branch. */
  Ids removed() {
    return removed;
  }

  /** Cuts a value into leaves; entries that are too big get branches of their own. */
  List<Piece> pieces(JsonNode value) throws SQLException {
    Builder builder = new Builder(policy, writer, true);
    List<Piece> pieces = new ArrayList<>();
    char kind = value.isArray() ? 'a' : 'o';
    Pieces cut = new Pieces(kind, policy, false, pieces::add);
    if (value.isArray()) {
      for (JsonNode element : value) {
        cut.add(entry(builder, element));
      }
    } else {
      Map<String, Fragment> members = new TreeMap<>(KeyOrder.JSONB);
      for (Map.Entry<String, JsonNode> member : value.properties()) {
        members.put(member.getKey(), entry(builder, member.getValue()));
      }
      for (Map.Entry<String, Fragment> member : members.entrySet()) {
        cut.add(member.getKey(), member.getValue());
      }
    }
    cut.closeLast();
    return pieces;
  }

  /** The same as one leaf, whatever its size within the bounds of a changed leaf. */
  Piece piece(JsonNode value) throws SQLException {
    Builder builder = new Builder(policy, writer, true);
    Fragment whole = builder.read(value, true);
    return new Piece(
        whole.kind(), whole.text(), whole.size(), whole.kids(), value.size(), Piece.NO_LOW);
  }

  private Fragment entry(Builder builder, JsonNode value) throws SQLException {
    Fragment entry = builder.read(value, false);
    return policy.leavesLeaf(entry.size()) ? builder.branch(entry) : entry;
  }

  /**
   * Replaces leaves that lie side by side.
   *
   * @param chain nodes from the root of the branch to the first of the leaves
   * @param replaced how many leaves, the first included
   * @param pieces what comes in their place
   */
  void replace(List<Node> chain, int replaced, List<Piece> pieces) throws SQLException {
    int depth = chain.size() - 1;
    Node leaf = chain.get(depth);
    List<Child> now = new ArrayList<>();
    boolean root = depth == 0;
    for (Piece piece : pieces) {
      boolean first = now.isEmpty() && (!root || pieces.size() == 1);
      long id = first ? leaf.id() : Ids.next();
      if (first) {
        writer.updateLeaf(id, piece);
      } else {
        writer.leaf(id, piece);
      }
      // Only arrays are counted.
      now.add(new Child(id, leaf.kind() == 'a' ? piece.count() : 0, piece.low()));
    }
    if (root) {
      if (pieces.size() > 1) {
        root(leaf, now);
      }
      return;
    }
    if (now.isEmpty()) {
      removed.add(leaf.id());
    }
    long gone = leaf.id();
    int span = replaced;
    for (int i = depth - 1; i >= 0; i--) {
      Node inner = chain.get(i);
      List<Child> children = new ArrayList<>(inner.children());
      int at = indexOf(children, gone);
      for (int k = 1; k < span; k++) {
        removed.add(children.get(at + k).id());
      }
      if (!now.isEmpty()) {
        now.set(0, now.get(0).withLow(children.get(at).low()));
      }
      List<Child> before = List.copyOf(children.subList(at, at + span));
      children.subList(at, at + span).clear();
      children.addAll(at, now);
      if (same(before, now)) {
        return;
      }
      if (i == 0) {
        root(inner, children);
        return;
      }
      now = inner(inner, children);
      gone = inner.id();
      span = 1;
    }
  }

  private static boolean same(List<Child> before, List<Child> now) {
    return before.size() == 1
        && now.size() == 1
        && before.get(0).id() == now.get(0).id()
        && before.get(0).count() == now.get(0).count();
  }

  private static int indexOf(List<Child> children, long id) {
    for (int i = 0; i < children.size(); i++) {
      if (children.get(i).id() == id) {
        return i;
      }
    }
    throw new IllegalStateException("node " + id + " is not below its parent");
  }

  /** Writes an inner node that is not the root; it may split or go. */
  private List<Child> inner(Node inner, List<Child> children) throws SQLException {
    List<Child> nodes = new ArrayList<>();
    if (children.isEmpty()) {
      removed.add(inner.id());
      return nodes;
    }
    for (List<Child> group : groups(children)) {
      long id = inner.id();
      if (nodes.isEmpty()) {
        writer.updateInner(id, inner.kind(), group);
      } else {
        id = writer.inner(inner.kind(), group);
      }
      long total = group.stream().mapToLong(Child::count).sum();
      nodes.add(new Child(id, total, group.get(0).low()));
    }
    return nodes;
  }

  private void root(Node root, List<Child> children) throws SQLException {
    if (children.isEmpty()) {
      String empty = root.kind() == 'a' ? "[]" : "{}";
      writer.updateLeaf(root.id(), new Piece(root.kind(), empty, 4, Ids.NONE, 0, Piece.NO_LOW));
      return;
    }
    List<Child> top = children;
    if (children.size() > policy.fanOut()) {
      Levels levels = new Levels(root.kind(), policy, writer);
      for (Child child : children) {
        levels.add(child);
      }
      top = levels.top();
    }
    writer.updateInner(root.id(), root.kind(), top);
  }

  /** Cuts children into groups of about equal size, if they are too many. */
  private List<List<Child>> groups(List<Child> children) {
    int count = (children.size() + policy.fanOut() - 1) / policy.fanOut();
    List<List<Child>> groups = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      groups.add(
          children.subList(
              (int) ((long) children.size() * i / count),
              (int) ((long) children.size() * (i + 1) / count)));
    }
    return groups;
  }
}
