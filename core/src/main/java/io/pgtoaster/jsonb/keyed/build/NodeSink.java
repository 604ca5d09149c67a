package io.pgtoaster.jsonb.keyed.build;

import io.pgtoaster.jsonb.keyed.format.Child;
import io.pgtoaster.jsonb.keyed.format.LeafContent;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Supplier;

/** Takes the nodes of branches that are built. */
public interface NodeSink {
  /** Takes a leaf and returns its number. */
  long leaf(LeafContent piece) throws SQLException;

  /**
   * Whether a leaf is stored already that ends here, other than one that is filled would.
   *
   * @param length chars of the content
   * @param content of the leaf that is filled
   */
  default boolean endsLeaf(int length, Supplier<String> content) {
    return false;
  }

  /** Takes an inner node over children that were taken before, and returns its number. */
  long inner(char kind, List<Child> children) throws SQLException;
}
