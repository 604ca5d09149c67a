package io.pgtoaster.jsonb.keyed.build;

import io.pgtoaster.internal.json.JsonbSize;
import io.pgtoaster.internal.json.JsonbText;
import io.pgtoaster.internal.json.KeyOrder;
import io.pgtoaster.jsonb.keyed.format.Fragment;
import io.pgtoaster.jsonb.keyed.format.Ids;
import io.pgtoaster.jsonb.keyed.format.LeafContent;
import io.pgtoaster.jsonb.keyed.format.SplitPolicy;
import java.sql.SQLException;
import java.util.HexFormat;

/** Fills leaves with the entries of one array or object, in order. Not thread-safe. */
final class LeafBuilder {
  private static final int ENTRY = 4;

  /** Initial capacity for text; most objects in arrays are not longer. */
  private static final int FIRST_CHARS = 128;

  /** Receives a full leaf. */
  @FunctionalInterface
  interface Taker {
    void take(LeafContent piece) throws SQLException;
  }

  private final char kind;
  private final SplitPolicy policy;
  private final boolean whole;
  private final NodeSink sink;
  private final Taker taker;
  private final StringBuilder text = new StringBuilder(FIRST_CHARS);
  private long bytes;
  private int count;
  private Ids kids = Ids.NONE;
  private String low = LeafContent.NO_LOW;
  private String lastKey = "";
  private boolean closing;
  private boolean cut;

  /**
   * Creates a builder.
   *
   * @param kind {@code a} or {@code o}
   * @param whole whether the value stays in one piece, whatever its size
   * @param sink determines where stored leaves end
   */
  LeafBuilder(char kind, SplitPolicy policy, boolean whole, NodeSink sink, Taker taker) {
    this.kind = kind;
    this.policy = policy;
    this.whole = whole;
    this.sink = sink;
    this.taker = taker;
    open();
  }

  private void open() {
    text.setLength(0);
    text.append(kind == 'a' ? '[' : '{');
    bytes = JsonbSize.CONTAINER;
    count = 0;
    kids = Ids.NONE;
    closing = false;
  }

  /** Adds an element. */
  void add(Fragment element) throws SQLException {
    add("", element, ENTRY + element.size());
  }

  /** Adds a member; keys must be in order. */
  void add(String key, Fragment member) throws SQLException {
    add(key, member, JsonbSize.key(key) + ENTRY + member.size());
  }

  private void add(String key, Fragment entry, long size) throws SQLException {
    if ((closing || policy.closesBefore(bytes, size))
        && count > 0
        && !whole
        && (kind == 'a' || !code(key).equals(code(lastKey)))) {
      close();
    }
    if (count == 0 && kind == 'o') {
      low = code(key);
    }
    lastKey = key;
    if (count > 0) {
      text.append(", ");
    }
    if (kind == 'o') {
      JsonbText.string(key, text);
      text.append(": ");
    }
    text.append(entry.text());
    if (!entry.kids().isEmpty()) {
      kids = kids.isEmpty() ? new Ids() : kids;
      kids.addAll(entry.kids());
    }
    bytes += size;
    count++;
    // Most containers end before they fill half a leaf, so they need no hashes.
    closing =
        (policy.isHalfFull(bytes) && policy.closesAfter(bytes, size, hash(key, entry)))
            || endsWhereAnEditHasCut();
  }

  private int hash(String key, Fragment entry) {
    int hash = entry.text().hashCode();
    return kind == 'o' ? 31 * key.hashCode() + hash : hash;
  }

  private static String code(String key) {
    return HexFormat.of().formatHex(KeyOrder.code(key));
  }

  /**
   * Returns true if an edit has cut a stored leaf here. The first leaf needs a minimum size, so
   * that a small value that starts like a stored leaf is not split.
   */
  private boolean endsWhereAnEditHasCut() {
    return (cut || policy.isCut(bytes)) && sink.endsLeaf(text.length() + 1, this::content);
  }

  private String content() {
    String content = text.append(kind == 'a' ? ']' : '}').toString();
    text.setLength(content.length() - 1);
    return content;
  }

  private LeafContent piece() {
    return new LeafContent(kind, content(), bytes, kids, count, low);
  }

  /** Passes the entries as a leaf. */
  void close() throws SQLException {
    taker.take(piece());
    cut = true;
    open();
  }

  /** Returns true if the taker received leaves, so that it must also receive the last one. */
  boolean wasCut() {
    return cut;
  }

  /** Closes the builder, and returns all entries as one value. */
  Fragment asFragment() {
    LeafContent all = piece();
    return new Fragment(kind, all.text(), bytes, kids, false);
  }
}
