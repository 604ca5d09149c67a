package io.pgtoaster.jsonb.keyed.build;

import io.pgtoaster.internal.json.JsonbSize;
import io.pgtoaster.internal.json.JsonbText;
import io.pgtoaster.internal.json.KeyOrder;
import io.pgtoaster.jsonb.keyed.format.Fragment;
import io.pgtoaster.jsonb.keyed.format.Ids;
import io.pgtoaster.jsonb.keyed.format.Piece;
import io.pgtoaster.jsonb.keyed.format.SplitPolicy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import java.util.HexFormat;

/** Fills leaves with the entries of one array or object, in order. Not thread-safe. */
final class Pieces {
  private static final int ENTRY = 4;

  /** Takes a full leaf. */
  @FunctionalInterface
  interface Taker {
    void take(Piece piece) throws SQLException;
  }

  private final char kind;
  private final SplitPolicy policy;
  private final boolean whole;
  private final NodeSink sink;
  private final Taker taker;
  private StringBuilder text = new StringBuilder();
  private long bytes;
  private int count;
  private Ids kids = new Ids();
  private String low = Piece.NO_LOW;
  private String lastCode = Piece.NO_LOW;
  private boolean closing;
  private boolean cut;

  /**
   * Starts.
   *
   * @param kind {@code a} or {@code o}
   * @param policy says when a leaf is full
   * @param whole whether everything stays in one piece, whatever its size
   * @param sink says where leaves end already
   * @param taker takes the leaves
   */
  Pieces(char kind, SplitPolicy policy, boolean whole, NodeSink sink, Taker taker) {
    this.kind = kind;
    this.policy = policy;
    this.whole = whole;
    this.sink = sink;
    this.taker = taker;
    this.bytes = JsonbSize.CONTAINER;
  }

  /** Adds an element. */
  void add(Fragment element) throws SQLException {
    long size = ENTRY + element.size();
    before(size, Piece.NO_LOW);
    append(element, size, element.text().hashCode());
  }

  /** Adds a member; keys must come in order. */
  void add(String key, Fragment member) throws SQLException {
    long size = JsonbSize.key(key) + ENTRY + member.size();
    String code = HexFormat.of().formatHex(KeyOrder.code(key));
    before(size, code);
    if (count > 0) {
      text.append(", ");
    }
    try {
      JsonbText.string(key, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    text.append(": ").append(member.text());
    counted(member, size, 31 * key.hashCode() + member.text().hashCode());
  }

  private void before(long size, String code) throws SQLException {
    boolean full = closing || policy.closesBefore(bytes, size);
    boolean separable = kind == 'a' || !code.equals(lastCode);
    if (full && separable && count > 0 && !whole) {
      close();
    }
    if (count == 0) {
      low = code;
    }
    lastCode = code;
  }

  private void append(Fragment element, long size, int hash) {
    if (count > 0) {
      text.append(", ");
    }
    text.append(element.text());
    counted(element, size, hash);
  }

  private void counted(Fragment entry, long size, int hash) {
    kids.addAll(entry.kids());
    bytes += size;
    count++;
    closing = policy.closesBehind(bytes, size, hash) || endsWhereAnEditHasCut();
  }

  /** A small value that begins as some small leaf is none. */
  private boolean endsWhereAnEditHasCut() {
    return (cut || policy.isCut(bytes)) && sink.endsLeaf(text.length() + 2, this::content);
  }

  private String content() {
    String brackets = kind == 'a' ? "[]" : "{}";
    return brackets.charAt(0) + text.toString() + brackets.charAt(1);
  }

  private Piece piece() {
    return new Piece(kind, content(), bytes, kids, count, low);
  }

  private void close() throws SQLException {
    taker.take(piece());
    cut = true;
    text = new StringBuilder();
    bytes = JsonbSize.CONTAINER;
    count = 0;
    kids = new Ids();
    closing = false;
  }

  /** Whether leaves have been taken, so that the last one must be, too. */
  boolean wasCut() {
    return cut;
  }

  /** Ends: what is left goes as the last leaf. */
  void closeLast() throws SQLException {
    close();
  }

  /** Ends: everything fits, as one value. */
  Fragment asFragment() {
    Piece all = piece();
    return new Fragment(kind, all.text(), bytes, kids.isEmpty() ? Ids.NONE : kids, false);
  }
}
