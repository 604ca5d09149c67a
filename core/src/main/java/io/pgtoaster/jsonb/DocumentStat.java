package io.pgtoaster.jsonb;

import java.util.List;

/** Size and structure of a stored document. */
public sealed interface DocumentStat permits StoredDocument {
  /**
   * A member of the root.
   *
   * @param key its key
   * @param bytes its size uncompressed, as jsonb, in bytes (estimated)
   */
  record Member(String key, long bytes) {}

  /** {@return whether the document is stored in several rows} */
  boolean split();

  /** {@return stored size of the part in the owner's row, in bytes} */
  long inlineBytes();

  /**
   * {@return number of root members in the owner's row as ordinary jsonb; 0 if the root is not an
   * object}
   */
  long inlineMembers();

  /**
   * {@return number of root members that are individually stored out of line, wholly or in part.
   * Members of a root that is out of line as a whole are not counted; such a root is an array, a
   * string, or has too many small members}
   */
  long splitMembers();

  /** {@return number of leaf rows} */
  long leaves();

  /** {@return number of inner rows, which lead to leaves} */
  long innerNodes();

  /**
   * {@return uncompressed size of all values, in bytes. Leaves count about as much as their jsonb.
   * The owner's row counts as its text, or with the toaster {@code default} as its jsonb}
   */
  long rawBytes();

  /** {@return stored size of all values, in bytes} */
  long storedBytes();

  /**
   * {@return number of rows on the way from the owner's row to the deepest leaf; 0 if not split}
   */
  int depth();

  /** {@return the largest root members that are stored out of line, largest first; at most ten} */
  List<Member> largest();

  /**
   * Creates figures, for implementers of toasters.
   *
   * @param split see the method
   * @param inlineBytes see the method
   * @param inlineMembers see the method
   * @param splitMembers see the method
   * @param leaves see the method
   * @param innerNodes see the method
   * @param rawBytes see the method
   * @param storedBytes see the method
   * @param depth see the method
   * @param largest see the method
   * @return the figures
   */
  static DocumentStat of(
      boolean split,
      long inlineBytes,
      long inlineMembers,
      long splitMembers,
      long leaves,
      long innerNodes,
      long rawBytes,
      long storedBytes,
      int depth,
      List<Member> largest) {
    return new StoredDocument(
        split,
        inlineBytes,
        inlineMembers,
        splitMembers,
        leaves,
        innerNodes,
        rawBytes,
        storedBytes,
        depth,
        largest);
  }
}
