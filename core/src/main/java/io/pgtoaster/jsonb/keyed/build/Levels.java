package io.pgtoaster.jsonb.keyed.build;

import io.pgtoaster.jsonb.keyed.format.Child;
import io.pgtoaster.jsonb.keyed.format.LeafContent;
import io.pgtoaster.jsonb.keyed.format.SplitPolicy;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Builds the inner nodes over leaves that are added in order. Not thread-safe. */
final class Levels {
  private final char kind;
  private final SplitPolicy policy;
  private final NodeSink sink;
  private final List<List<Child>> levels = new ArrayList<>();

  Levels(char kind, SplitPolicy policy, NodeSink sink) {
    this.kind = kind;
    this.policy = policy;
    this.sink = sink;
  }

  void add(LeafContent leaf) throws SQLException {
    add(0, new Child(sink.leaf(leaf), leaf.count(), leaf.low()));
  }

  private void add(int level, Child child) throws SQLException {
    if (level == levels.size()) {
      levels.add(new ArrayList<>());
    }
    List<Child> open = levels.get(level);
    // Close a node only when its next child arrives, so that the last node of a level is never
    // empty.
    if (!open.isEmpty() && policy.closesAfter(open.size(), open.get(open.size() - 1).id())) {
      List<Child> full = List.copyOf(open);
      open.clear();
      add(level + 1, node(full));
    }
    open.add(child);
  }

  private Child node(List<Child> children) throws SQLException {
    long total = children.stream().mapToLong(Child::count).sum();
    return new Child(sink.inner(kind, children), total, children.get(0).low());
  }

  /** Closes all levels, and returns the topmost nodes, which are few enough for one inner node. */
  List<Child> top() throws SQLException {
    for (int level = 0; level < levels.size() - 1; level++) {
      List<Child> open = levels.get(level);
      add(level + 1, open.size() == 1 ? open.get(0) : node(List.copyOf(open)));
    }
    return levels.get(levels.size() - 1);
  }

  /** Closes all levels, and returns the number of the root. */
  long root() throws SQLException {
    List<Child> top = top();
    return top.size() == 1 ? top.get(0).id() : node(List.copyOf(top)).id();
  }
}
