package io.pgtoaster.jsonb.keyed.format;

import io.pgtoaster.spi.json.JsonbSize;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * When members are moved out of the row and leaves split or fold. Pure: it knows sizes, not rows.
 * Sizes are those of uncompressed jsonb, in bytes.
 *
 * @param rowBudget most bytes of an owner's row, all columns together but for pinned members
 * @param leafSize most bytes of a leaf that is written
 * @param fanOut most children of an inner node
 * @param pinned members that stay in the row
 */
public record SplitPolicy(int rowBudget, int leafSize, int fanOut, PinnedPaths pinned) {
  /** What a row takes beside its columns. */
  public static final int ROW_HEADER = 24;

  /** What a stub takes for its header, and a member that left for its marker. */
  public static final int MARKER = 48;

  /**
   * Most members that are moved out each into a branch of its own, where they could share leaves.
   */
  public static final int MOST_BRANCHES = 16;

  /** Most leaves that a string may be long to be stored in one piece. */
  private static final long STRING_LEAVES = 16;

  /** Least bytes that a document may take in the row, however wide the other columns are. */
  public static final int LEAST_INLINE = 128;

  /**
   * Returns the bytes that a document may take in a row whose other columns take some. Pinned
   * members are not counted: a large one would move all others out.
   */
  public long inlineBudget(long otherBytes) {
    return Math.max(rowBudget - ROW_HEADER - otherBytes, LEAST_INLINE);
  }

  /**
   * Returns the bytes that members too small for a branch of their own may take together. Wide
   * columns leave them half of the row: PostgreSQL moves such a column out of line itself.
   */
  public long smallBudget(long inlineBudget) {
    return Math.max(inlineBudget, rowBudget / 2);
  }

  /** Returns the size of a document without its pinned members. */
  public long sizeBesidePinned(JsonNode document) {
    return JsonbSize.size(document) - pinned.size(document);
  }

  /** Whether a member of a leaf gets a branch of its own. */
  public boolean movesOutOfLeaf(long bytes) {
    return bytes > leafSize / 2;
  }

  /**
   * Whether a string is cut into pieces. Nobody edits a part of one, and one piece is read and
   * written as plain jsonb is: 100 KB in pieces of a third of a leaf took twice as long.
   */
  public boolean cutsString(long bytes) {
    return bytes > STRING_LEAVES * leafSize;
  }

  /** Characters of such a piece; one takes at most three bytes of UTF-8. */
  public int stringPiece() {
    return (int) (STRING_LEAVES * leafSize / 3);
  }

  /** Whether the first leaf of a container that an edit has cut may be as small as that. */
  public boolean isCut(long bytes) {
    return bytes >= leafSize / 16;
  }

  /** Whether the leaf being filled is closed before an entry. */
  public boolean closesBefore(long filled, long next) {
    return filled + next > leafSize;
  }

  /** Whether the leaf being filled may be closed by its content. */
  public boolean isHalfFull(long filled) {
    return filled >= leafSize / 2;
  }

  /**
   * Whether the leaf being filled is closed behind an entry, by the entry's content: so that leaves
   * begin at the same entries again, whatever was inserted or removed before them.
   */
  public boolean closesBehind(long filled, long entry, int contentHash) {
    int period = leafSize / 4;
    return isHalfFull(filled) && Math.floorMod(mix(contentHash), period) < entry;
  }

  /** The same for an inner node that has some children, by the last one's number. */
  public boolean closesBehind(int children, long lastId) {
    return children >= fanOut
        || (children >= Math.max(fanOut / 2, 2)
            && Math.floorMod(mix(Long.hashCode(lastId)), Math.max(fanOut / 4, 2)) == 0);
  }

  /**
   * Which members are moved out, largest first, until the others fit.
   *
   * @param sizes bytes of the members that may be moved out
   * @param total bytes of all
   * @param budget bytes that may stay
   * @return positions in {@code sizes}
   */
  public static List<Integer> movedOut(List<Long> sizes, long total, long budget) {
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < sizes.size(); i++) {
      if (sizes.get(i) > 2 * MARKER) {
        order.add(i);
      }
    }
    order.sort(Comparator.comparingLong(i -> -sizes.get(i)));
    List<Integer> movedOut = new ArrayList<>();
    long left = total;
    for (int i : order) {
      if (left <= budget) {
        break;
      }
      movedOut.add(i);
      left -= sizes.get(i) - MARKER;
    }
    return movedOut;
  }

  private static int mix(int hash) {
    int h = hash * 0x9E3779B9;
    return h ^ (h >>> 15);
  }
}
