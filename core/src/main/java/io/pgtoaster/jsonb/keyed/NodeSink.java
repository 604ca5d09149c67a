package io.pgtoaster.jsonb.keyed;

import java.sql.SQLException;
import java.util.List;

/** Takes the nodes of branches that are built. */
interface NodeSink {
  /** Takes a leaf and returns its number. */
  long leaf(Piece piece) throws SQLException;

  /** Takes an inner node over children that were taken before, and returns its number. */
  long inner(char kind, List<Child> children) throws SQLException;
}
