package io.pgtoaster.jsonb.keyed.build;

import io.pgtoaster.jsonb.keyed.format.Child;
import io.pgtoaster.jsonb.keyed.format.LeafContent;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Supplier;

/** Receives the nodes of branches while they are built. */
public interface NodeSink {
  /** Adds a leaf; returns its number. */
  long leaf(LeafContent piece) throws SQLException;

  /**
   * Returns true if the leaf being filled must end here, because a leaf with the same content is
   * already stored.
   *
   * @param length length of the content in characters
   * @param content content of the leaf being filled
   */
  default boolean endsLeaf(int length, Supplier<String> content) {
    return false;
  }

  /** Adds an inner node over children that were added before; returns its number. */
  long inner(char kind, List<Child> children) throws SQLException;
}
