package io.pgtoaster.it.hibernate.report;

import io.pgtoaster.it.hibernate.kit.Cost;

/**
 * What a contender costs.
 *
 * @param contender measured
 * @param small a transaction that loads, reads, changes a small member and commits
 * @param deep a transaction that loads, reads, changes one value in a big member and commits
 * @param untouched a transaction that loads, reads and commits
 * @param readOnly the same in a session that is read-only, which compares nothing
 * @param flush one flush where the document was read and nothing is changed
 * @param many a transaction that loads a hundred entities and reads a big member of each
 */
record Result(
    Contender contender,
    Cost small,
    Cost deep,
    Cost untouched,
    Cost readOnly,
    Cost flush,
    Cost many) {
  /** What is done only to find out that nothing has changed. */
  Cost dirtyChecking() {
    return untouched.minus(readOnly);
  }
}
