package io.pgtoaster.jsonb.keyed;

/** Where a value was found, and so what a read of it takes. */
enum Reach {
  /** In the owner's row, as a whole. */
  ROW,

  /** In one node, or nowhere; as a whole. */
  NODE,

  /** In several nodes, or with branches of its own. */
  BRANCHES
}
