package io.pgtoaster.jsonb;

import java.util.List;

/**
 * What is stored of one document.
 *
 * @param split whether it is spread over several rows
 * @param inlineBytes size of what stands in the owner's row, as stored, in bytes
 * @param inlineMembers number of root members that stand in the owner's row as ordinary jsonb; 0 if
 *     the root is no object
 * @param splitMembers number of root members that have left it, wholly or in part, each by itself:
 *     not counted are those of a root that has left as a whole, being an array, a string, or too
 *     many small members
 * @param leaves number of leaf rows
 * @param innerNodes number of rows that lead to them
 * @param rawBytes size of all values uncompressed, in bytes: of leaves about that of their jsonb;
 *     of what stands in the owner's row that of its text, or with the toaster {@code default} that
 *     of its jsonb
 * @param storedBytes size of all values as stored, in bytes
 * @param depth rows from the owner's row to the deepest leaf; 0 if not split
 * @param largest the largest root members that have left the row, largest first; at most ten
 */
public record DocumentStat(
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
  /**
   * A member of the root.
   *
   * @param key its key
   * @param bytes its size uncompressed, as jsonb, in bytes (estimated)
   */
  public record Member(String key, long bytes) {}

  /**
   * Copies the members.
   *
   * @param split as the component says
   * @param inlineBytes as the component says
   * @param inlineMembers as the component says
   * @param splitMembers as the component says
   * @param leaves as the component says
   * @param innerNodes as the component says
   * @param rawBytes as the component says
   * @param storedBytes as the component says
   * @param depth as the component says
   * @param largest as the component says
   */
  public DocumentStat {
    largest = List.copyOf(largest);
  }
}
