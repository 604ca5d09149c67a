package io.pgtoaster.jsonb.keyed.build;

import io.pgtoaster.internal.json.KeyOrder;
import io.pgtoaster.jsonb.keyed.format.Fragment;
import io.pgtoaster.jsonb.keyed.format.Ids;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;

/**
 * Sorts the members of an object by jsonb's key order. The last member with a key wins. Keeps a few
 * megabytes in memory. Larger objects use temporary files that only this user can read. They
 * contain sorted runs, which are merged at the end. Not thread-safe.
 */
final class SortedMembers implements AutoCloseable {
  private static final int MAX_CHARS = 2 << 20;

  /** The memory that a member needs in addition to its text, in chars. */
  private static final int OVERHEAD = 100;

  /** Receives members in order. */
  @FunctionalInterface
  interface Taker {
    void take(String key, Fragment member) throws SQLException;
  }

  private final Ids dropped;
  private TreeMap<String, Fragment> members = new TreeMap<>(KeyOrder.JSONB);
  private final List<Path> runs = new ArrayList<>();
  private long chars;

  /**
   * Creates an empty object. The list receives the branches of members that later members replace.
   */
  SortedMembers(Ids dropped) {
    this.dropped = dropped;
  }

  void add(String key, Fragment member) {
    Fragment before = members.put(key, member);
    if (before != null) {
      dropped.addAll(before.kids());
    }
    chars += key.length() + member.text().length() + OVERHEAD;
    if (chars > MAX_CHARS) {
      spill();
    }
  }

  boolean isEmpty() {
    return members.isEmpty() && runs.isEmpty();
  }

  private void spill() {
    try {
      Path run = Files.createTempFile("pgtoaster-members-", ".run");
      runs.add(run);
      try (DataOutputStream out =
          new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(run)))) {
        for (Map.Entry<String, Fragment> member : members.entrySet()) {
          write(out, member.getKey(), member.getValue());
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("a temporary file for a big object cannot be written", e);
    }
    members = new TreeMap<>(KeyOrder.JSONB);
    chars = 0;
  }

  void forEach(Taker taker) throws SQLException {
    if (runs.isEmpty()) {
      for (Map.Entry<String, Fragment> member : members.entrySet()) {
        taker.take(member.getKey(), member.getValue());
      }
      return;
    }
    spill();
    List<Run> open = new ArrayList<>();
    try {
      merge(open, taker);
    } catch (IOException e) {
      throw new UncheckedIOException("a temporary file of a big object cannot be read", e);
    } finally {
      open.forEach(Run::close);
    }
  }

  /** Merges runs; among members with the same key, the one of the last run wins. */
  private void merge(List<Run> open, Taker taker) throws IOException, SQLException {
    PriorityQueue<Run> next =
        new PriorityQueue<>(
            Comparator.comparing(Run::key, KeyOrder.JSONB).thenComparingInt(Run::number));
    for (int i = 0; i < runs.size(); i++) {
      Run run = new Run(i, runs.get(i));
      open.add(run);
      if (run.advance()) {
        next.add(run);
      }
    }
    while (!next.isEmpty()) {
      Run run = next.remove();
      String key = run.key();
      Fragment member = run.member();
      if (run.advance()) {
        next.add(run);
      }
      Run other = next.peek();
      if (other != null && other.key().equals(key)) {
        dropped.addAll(member.kids());
      } else {
        taker.take(key, member);
      }
    }
  }

  private static void write(DataOutputStream out, String key, Fragment member) throws IOException {
    text(out, key);
    out.writeChar(member.kind());
    text(out, member.text());
    out.writeLong(member.size());
    out.writeBoolean(member.marker());
    out.writeInt(member.kids().size());
    for (int i = 0; i < member.kids().size(); i++) {
      out.writeLong(member.kids().get(i));
    }
  }

  private static void text(DataOutputStream out, String text) throws IOException {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    out.writeInt(utf8.length);
    out.write(utf8);
  }

  @Override
  public void close() {
    for (Path run : runs) {
      try {
        Files.deleteIfExists(run);
      } catch (IOException e) {
        run.toFile().deleteOnExit();
      }
    }
  }

  /** A run that is being read. */
  private static final class Run {
    private final int number;
    private final DataInputStream in;
    private String key = "";
    private Fragment member = Fragment.scalar("null", 0);

    Run(int number, Path path) throws IOException {
      this.number = number;
      this.in = new DataInputStream(new BufferedInputStream(Files.newInputStream(path)));
    }

    int number() {
      return number;
    }

    String key() {
      return key;
    }

    Fragment member() {
      return member;
    }

    boolean advance() throws IOException {
      int length;
      try {
        length = in.readInt();
      } catch (EOFException e) {
        return false;
      }
      key = new String(in.readNBytes(length), StandardCharsets.UTF_8);
      char kind = in.readChar();
      String text = new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8);
      long size = in.readLong();
      boolean marker = in.readBoolean();
      int count = in.readInt();
      Ids kids = count == 0 ? Ids.NONE : new Ids();
      for (int i = 0; i < count; i++) {
        kids.add(in.readLong());
      }
      member = new Fragment(kind, text, size, kids, marker);
      return true;
    }

    void close() {
      try {
        in.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
