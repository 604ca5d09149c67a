package io.pgtoaster.jsonb.keyed;

import io.pgtoaster.column.RowKey;
import io.pgtoaster.error.DocumentCorruptException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The way to the container in which the last step of a path is, as one snapshot shows it.
 *
 * @param stub what the owner's row holds; null for SQL NULL, and where the walk began in the rest
 * @param document its number; null if it is not split
 * @param generation of its head; null if the head is not there or not of this row
 * @param hops the way, at least one
 */
record Walk(
    @Nullable String stub, @Nullable Long document, @Nullable Long generation, List<Hop> hops) {

  /**
   * A hop.
   *
   * @param node the node reached; null for a step within one
   * @param step number of steps taken
   * @param rel position in the node, where an inner node above has resolved it
   * @param type type of the value there; null in an inner node, and where there is nothing
   * @param empty whether it is an array or object without entries
   */
  record Hop(
      @Nullable Node node, int step, @Nullable Long rel, @Nullable String type, boolean empty) {
    boolean isInner() {
      return node != null && !node.isLeaf();
    }

    boolean isArray() {
      return isInner() ? node != null && node.kind() == 'a' : "array".equals(type);
    }

    /** Whether there is something that has slots. */
    boolean isContainer() {
      return isInner()
          ? node != null && node.kind() != 's'
          : "array".equals(type) || "object".equals(type);
    }
  }

  static Walk of(KeyedStore store, Connection connection, RowKey key, Steps path)
      throws SQLException {
    try (PreparedStatement s = connection.prepareStatement(store.sql().walk)) {
      key.bind(s, path.bind(connection, s, 1, path.length() - 1));
      try (ResultSet r = s.executeQuery()) {
        if (!r.next()) {
          throw Reads.noRow();
        }
        return read(r);
      }
    }
  }

  private static Walk read(ResultSet r) throws SQLException {
    String stub = r.getString(8);
    Long document = number(r, 14);
    Long generation = number(r, 15);
    List<Hop> hops = new ArrayList<>();
    do {
      if (r.getBoolean(12)) {
        throw new DocumentCorruptException(ValueRows.NOT_OWNED);
      }
      Node node = r.getObject(1) == null ? null : Node.read(r);
      String text = r.getString(8);
      boolean empty = "[]".equals(text) || "{}".equals(text);
      hops.add(new Hop(node, r.getInt(10), number(r, 11), r.getString(13), empty));
    } while (r.next());
    return new Walk(stub, document, generation, hops);
  }

  private static @Nullable Long number(ResultSet r, int column) throws SQLException {
    long value = r.getLong(column);
    return r.wasNull() ? null : (Long) value;
  }

  Hop last() {
    return hops.get(hops.size() - 1);
  }

  /** Where the leaf that holds the last hop was entered: 0 for the owner's row. */
  int leaf() {
    for (int i = hops.size() - 1; i > 0; i--) {
      Node node = hops.get(i).node();
      if (node != null && node.isLeaf()) {
        return i;
      }
    }
    return 0;
  }

  /** The nodes from the root of the branch down to the leaf. */
  List<Node> chain(int leaf) {
    List<Node> chain = new ArrayList<>();
    for (int i = leaf; i > 0; i--) {
      Node node = hops.get(i).node();
      if (node == null || (node.isLeaf() && i < leaf)) {
        break;
      }
      chain.add(0, node);
    }
    return chain;
  }

  /** The path from the leaf on, as positions and keys in it. */
  List<String> within(int leaf, Steps path) {
    Hop hop = hops.get(leaf);
    List<String> steps = document == null ? path.given() : path.escaped();
    Long rel = hop.rel();
    if (rel == null) {
      return steps.subList(hop.step(), steps.size());
    }
    List<String> within = new ArrayList<>(steps.subList(hop.step(), steps.size()));
    within.set(0, rel.toString());
    return within;
  }
}
