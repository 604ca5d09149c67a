package io.pgtoaster.it.hibernate.report;

import io.pgtoaster.it.hibernate.kit.Cost;

/**
 * The cost of a contender.
 *
 * @param contender the measured mapping
 * @param small a transaction that loads, reads, changes a small member and commits
 * @param deep a transaction that loads, reads, changes one value in a big member and commits
 * @param untouched a transaction that loads, reads and commits
 * @param readOnly the same in a read-only session, which compares nothing
 * @param flush one flush after the document was read and not changed
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
  /** The cost of finding out that nothing has changed. */
  Cost dirtyChecking() {
    return untouched.minus(readOnly);
  }
}
