package io.pgtoaster.jsonb.keyed.format;

import io.pgtoaster.internal.json.JsonbSize;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * Decides when members are moved out of the row and where leaves end. It uses only sizes, and does
 * not access the database. All sizes are in bytes of uncompressed jsonb.
 *
 * @param rowBudget maximum bytes of an owner's row with all columns, without pinned members
 * @param leafSize maximum bytes of a leaf when it is written
 * @param fanOut maximum number of children of an inner node
 * @param pinned members that stay in the row
 */
public record SplitPolicy(int rowBudget, int leafSize, int fanOut, PinnedPaths pinned) {
  /** The bytes of a row in addition to its columns. */
  public static final int ROW_HEADER = 24;

  /** The bytes of a stub's header. A value of up to twice this size stays in the row. */
  public static final int MARKER = 48;

  /** The bytes of the marker that replaces a value, without its entry. */
  static final int MARKED = MARKER - 2 * JsonbSize.DATUM;

  /** The maximum number of members that get their own branches although they could share leaves. */
  public static final int MAX_BRANCHES = 16;

  /** The maximum length, in leaves, of a string that is stored in one piece. */
  private static final long STRING_LEAVES = 16;

  private static final String WHITE_SPACE = " \t\n\u000b\f\r";

  /** A comma and a semicolon, and the ideographic space, comma, full stop and wide forms. */
  private static final String SEPARATORS = ",;\u3000\u3001\u3002\uff0c\uff1b";

  /** The minimum bytes for a document in the row, however wide the other columns are. */
  public static final int MIN_INLINE = 128;

  /**
   * Returns the maximum bytes of a document in a row whose other columns have {@code otherBytes}.
   * Pinned members are not counted, because a large one would cause all others to be moved out.
   */
  public long inlineBudget(long otherBytes) {
    return Math.max(rowBudget - ROW_HEADER - otherBytes, MIN_INLINE);
  }

  /**
   * Returns the maximum total bytes of members that are too small for their own branch. Even with
   * wide columns it is at least half of the row: PostgreSQL moves wide columns out of line itself.
   */
  public long smallBudget(long inlineBudget) {
    return Math.max(inlineBudget, rowBudget / 2);
  }

  /** Returns the size of a document without its pinned members. */
  public long sizeWithoutPinned(JsonNode document) {
    return JsonbSize.size(document) - pinned.size(document);
  }

  /** Returns true if a member of a leaf gets its own branch. */
  public boolean movesOutOfLeaf(long bytes) {
    return bytes > leafSize / 2;
  }

  /**
   * Returns true if a string is cut into pieces. Edits always replace the whole string, so cut it
   * only if it is very long: cutting 100 KB into pieces of a third of a leaf took twice as long as
   * writing one piece.
   */
  public boolean cutsString(long bytes) {
    return bytes > STRING_LEAVES * leafSize;
  }

  /** Returns the maximum length of such a piece in characters of at most four bytes of UTF-8. */
  private int stringPiece() {
    return (int) (STRING_LEAVES * leafSize / 4);
  }

  /**
   * Returns the end of the piece of a string that starts at a position. A piece ends after white
   * space in its second half, so that a text index finds each word. Without white space it ends
   * after a comma or a similar character, and without these at its maximum length. {@code
   * pack_template} and {@code json_branch_store.c} cut strings in the same way.
   */
  public int pieceEnd(String text, int from) {
    int most = stringPiece();
    int end = from;
    int space = 0;
    int separator = 0;
    for (int count = 1; count <= most && end < text.length(); count++) {
      int c = text.codePointAt(end);
      end += Character.charCount(c);
      if (count > most / 2 && WHITE_SPACE.indexOf(c) >= 0) {
        space = end;
      } else if (count > most / 2 && SEPARATORS.indexOf(c) >= 0) {
        separator = end;
      }
    }
    if (end == text.length()) {
      return end;
    } else if (space > 0) {
      return space;
    }
    return separator > 0 ? separator : end;
  }

  /** Returns true if the first leaf of a container that an edit has cut may be this small. */
  public boolean isCut(long bytes) {
    return bytes >= leafSize / 16;
  }

  /** Returns true if the leaf being filled is closed before an entry. */
  public boolean closesBefore(long filled, long next) {
    return filled + next > leafSize;
  }

  /** Returns true if the leaf being filled may be closed by its content. */
  public boolean isHalfFull(long filled) {
    return filled >= leafSize / 2;
  }

  /**
   * Returns true if the leaf being filled is closed after an entry, depending on the entry's
   * content. So leaves begin at the same entries as before, even if entries were inserted or
   * removed before them.
   */
  public boolean closesAfter(long filled, long entry, int contentHash) {
    int period = leafSize / 4;
    return isHalfFull(filled) && Math.floorMod(mix(contentHash), period) < entry;
  }

  /** Does the same for an inner node with some children, depending on the last child's number. */
  public boolean closesAfter(int children, long lastId) {
    return children >= fanOut
        || (children >= Math.max(fanOut / 2, 2)
            && Math.floorMod(mix(Long.hashCode(lastId)), Math.max(fanOut / 4, 2)) == 0);
  }

  /**
   * Returns the members to move out, largest first, until the others fit.
   *
   * @param sizes bytes of the members that may be moved out
   * @param total bytes of all members
   * @param budget maximum bytes of the members that stay
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
      left -= sizes.get(i) - MARKED;
    }
    return movedOut;
  }

  private static int mix(int hash) {
    int h = hash * 0x9E3779B9;
    return h ^ (h >>> 15);
  }
}
