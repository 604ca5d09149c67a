package io.pgtoaster.jsonb.keyed;

/** Where a value was found, and so what a read of it takes. */
enum Reach {
  /** In the owner's row, as a whole. */
  ROW,

  /** In one node, or nowhere; as a whole. */
  NODE,

  /** In a branch that a marker in the row names, with no level between its root and its leaves. */
  BRANCH,

  /** In several nodes, or with branches of its own. */
  BRANCHES
}
