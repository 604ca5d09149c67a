package io.pgtoaster.jsonb;

import java.util.List;

/** What is stored of one document. */
public sealed interface DocumentStat permits StoredDocument {
  /**
   * A member of the root.
   *
   * @param key its key
   * @param bytes its size uncompressed, as jsonb, in bytes (estimated)
   */
  record Member(String key, long bytes) {}

  /** {@return whether it is spread over several rows} */
  boolean split();

  /** {@return size of what stands in the owner's row, as stored, in bytes} */
  long inlineBytes();

  /**
   * {@return number of root members that stand in the owner's row as ordinary jsonb; 0 if the root
   * is no object}
   */
  long inlineMembers();

  /**
   * {@return number of root members that are out of line, wholly or in part, each by itself: not
   * counted are those of a root that is out of line as a whole, being an array, a string, or too
   * many small members}
   */
  long splitMembers();

  /** {@return number of leaf rows} */
  long leaves();

  /** {@return number of rows that lead to them} */
  long innerNodes();

  /**
   * {@return size of all values uncompressed, in bytes: of leaves about that of their jsonb; of
   * what stands in the owner's row that of its text, or with the toaster {@code default} that of
   * its jsonb}
   */
  long rawBytes();

  /** {@return size of all values as stored, in bytes} */
  long storedBytes();

  /** {@return rows from the owner's row to the deepest leaf; 0 if not split} */
  int depth();

  /** {@return the largest root members that are stored out of line, largest first; at most ten} */
  List<Member> largest();

  /**
   * Makes one, for toasters.
   *
   * @param split as its method says
   * @param inlineBytes as its method says
   * @param inlineMembers as its method says
   * @param splitMembers as its method says
   * @param leaves as its method says
   * @param innerNodes as its method says
   * @param rawBytes as its method says
   * @param storedBytes as its method says
   * @param depth as its method says
   * @param largest as its method says
   * @return what they say
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
