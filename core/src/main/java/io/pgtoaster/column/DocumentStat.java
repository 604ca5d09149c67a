package io.pgtoaster.column;

import java.util.List;

/**
 * Size and structure of a stored document.
 *
 * @param split whether the document is stored in several rows
 * @param inlineBytes stored size of the part in the owner's row, in bytes
 * @param inlineMembers number of root members in the owner's row as ordinary jsonb; 0 if the root
 *     is not an object
 * @param splitMembers number of root members that are individually stored out of line, wholly or in
 *     part. Members of a root that is out of line as a whole are not counted; such a root is an
 *     array, a string, or has too many small members
 * @param leaves number of leaves
 * @param innerNodes number of inner nodes, which lead to leaves
 * @param rawBytes uncompressed size of all values, in bytes. The size of a leaf is about that of
 *     its jsonb. The size of the owner's row is that of its text, or with the toaster {@code
 *     default}, of its jsonb
 * @param storedBytes stored size of all values, in bytes
 * @param depth number of rows on the way from the owner's row to the deepest leaf; 0 if not split
 * @param largest the largest root members that are stored out of line, largest first; at most ten
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
   * @param bytes its estimated size as uncompressed jsonb, in bytes
   */
  public record Member(String key, long bytes) {}
}
