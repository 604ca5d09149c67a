package io.pgtoaster.jsonb.keyed.write;

import io.pgtoaster.error.DocumentCorruptException;
import io.pgtoaster.internal.Query;
import io.pgtoaster.jsonb.keyed.build.NodeSink;
import io.pgtoaster.jsonb.keyed.format.Child;
import io.pgtoaster.jsonb.keyed.format.Ids;
import io.pgtoaster.jsonb.keyed.format.LeafContent;
import io.pgtoaster.jsonb.keyed.format.Node;
import io.pgtoaster.jsonb.keyed.store.KeyedSql;
import io.pgtoaster.jsonb.keyed.store.KeyedStore;
import io.pgtoaster.jsonb.keyed.store.Locks;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.BitSet;
import java.util.List;
import java.util.function.Supplier;

/**
 * Receives the nodes of a document that replaces a stored one. A stored node with the same content
 * is reused, at most once; only the others are written. Leaves are compared by a digest, SHA-256
 * truncated to 16 bytes, which the server computes for the stored ones. Leaves keep the ends at
 * which edits have cut them. Not thread-safe.
 */
final class ReusingSink implements NodeSink {
  private static final int FETCH_ROWS = 2_000;

  private final NodeWriter writer;
  private final boolean keepsCuts;
  private final StoredNodes stored = new StoredNodes();
  private final BitSet cutLengths = new BitSet();
  private final MessageDigest digest;
  private long kept;

  /**
   * Creates a sink.
   *
   * @param writer writes new nodes
   * @param keepsCuts whether leaves that edits have cut stay unchanged
   */
  ReusingSink(NodeWriter writer, boolean keepsCuts) {
    this.writer = writer;
    this.keepsCuts = keepsCuts;
    try {
      this.digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** Loads the stored nodes of a document: the result of {@code firstDigests}, then the others. */
  void load(KeyedStore store, Connection connection, long document, ResultSet first)
      throws SQLException {
    int rows = 0;
    long last = 0;
    try (first) {
      while (first.next()) {
        rows++;
        last = first.getLong(1);
        byte[] leaf = first.getBytes(9);
        if (leaf == null) {
          addInner(first);
        } else {
          addLeaf(last, leaf, first.getInt(10));
        }
      }
    }
    if (rows == Locks.FIRST_ROWS) {
      loadAfter(store, connection, document, last);
    }
    stored.sort();
  }

  private void loadAfter(KeyedStore store, Connection connection, long document, long last)
      throws SQLException {
    Query.Parameters paged =
        (s, first) -> {
          s.setFetchSize(FETCH_ROWS);
          return first;
        };
    Query.Rows<ReusingSink> leaves =
        r -> {
          while (r.next()) {
            addLeaf(r.getLong(1), r.getBytes(2), r.getInt(3));
          }
          return this;
        };
    Query.Rows<ReusingSink> inner =
        r -> {
          while (r.next()) {
            addInner(r);
          }
          return this;
        };
    Query.read(connection, store.sql(KeyedSql.LEAF_DIGESTS), leaves, paged, document, last);
    Query.read(connection, store.sql(KeyedSql.INNER_NODES), inner, paged, document, last);
  }

  private void addLeaf(long id, byte[] digest, int cutLength) {
    stored.add(id, digest);
    if (keepsCuts && cutLength > 0) {
      cutLengths.set(cutLength);
    }
  }

  /** Adds an inner node. Damaged nodes are not reused; they are deleted. */
  private void addInner(ResultSet r) throws SQLException {
    String text;
    try {
      Node node = Node.read(r);
      text = text(node.kind(), node.children());
    } catch (DocumentCorruptException e) {
      text = "";
    }
    stored.add(r.getLong(1), digest(text));
  }

  private byte[] digest(String text) {
    return digest.digest(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Returns text for an inner node that no leaf can have. */
  private static String text(char kind, List<Child> children) {
    StringBuilder text = new StringBuilder("inner ").append(kind);
    for (Child child : children) {
      text.append(' ').append(child.id());
      if (kind == 'a') {
        text.append(':').append(child.count());
      }
    }
    return text.toString();
  }

  @Override
  public boolean endsLeaf(int length, Supplier<String> content) {
    return cutLengths.get(length) && stored.has(digest(content.get()));
  }

  @Override
  public long leaf(LeafContent piece) throws SQLException {
    long id = stored.take(digest(piece.text()));
    if (id != StoredNodes.NONE) {
      kept++;
      return id;
    }
    return writer.leaf(piece);
  }

  @Override
  public long inner(char kind, List<Child> children) throws SQLException {
    long id = stored.take(digest(text(kind, children)));
    return id != StoredNodes.NONE ? id : writer.inner(kind, children);
  }

  /** Returns the number of leaves reused. */
  long kept() {
    return kept;
  }

  /** Returns the nodes that the new document does not use. */
  Ids unused() {
    return stored.unused();
  }
}
