package io.pgtoaster.jsonb.keyed.build;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.internal.json.Json;
import io.pgtoaster.jsonb.keyed.format.Child;
import io.pgtoaster.jsonb.keyed.format.Fragment;
import io.pgtoaster.jsonb.keyed.format.Ids;
import io.pgtoaster.jsonb.keyed.format.LeafContent;
import io.pgtoaster.jsonb.keyed.format.PinnedPaths;
import io.pgtoaster.jsonb.keyed.format.SplitPolicy;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Grouping entries into leaves, leaves into inner nodes, and numbers into lists keeps their order.
 */
class NodesInOrderTest {
  private static final long SEED = Long.getLong("pgtoaster.test.seed", 20261122);

  private static SplitPolicy policy(int fanOut) {
    return new SplitPolicy(2000, 512, fanOut, PinnedPaths.parse("[]"));
  }

  /** Keeps inner nodes, numbered consecutively. */
  private static final class Inner implements NodeSink {
    final TreeMap<Long, List<Child>> nodes = new TreeMap<>();
    long last = 1_000;
    long lastLeaf;

    @Override
    public long leaf(LeafContent piece) {
      lastLeaf = ++last;
      return lastLeaf;
    }

    @Override
    public long inner(char kind, List<Child> children) {
      assertThat(kind).isEqualTo('a');
      nodes.put(++last, List.copyOf(children));
      return last;
    }

    private int leaves(long id, List<Long> into) {
      List<Child> children = nodes.get(id);
      if (children == null) {
        into.add(id);
        return 0;
      }
      int depth = 0;
      for (Child child : children) {
        List<Long> below = new ArrayList<>();
        depth = Math.max(depth, leaves(child.id(), below));
        into.addAll(below);
        if (nodes.containsKey(child.id())) {
          assertThat(child.count())
              .isEqualTo(nodes.get(child.id()).stream().mapToLong(Child::count).sum());
          assertThat(child.low()).isEqualTo(nodes.get(child.id()).get(0).low());
        }
      }
      return depth + 1;
    }
  }

  @Test
  void tree_hasItsLeavesInOrder_andNoNodeWithOneChild() throws SQLException {
    for (int leaves = 1; leaves <= 200; leaves++) {
      Random random = new Random(SEED + leaves);
      int fanOut = 4 + random.nextInt(6);
      Inner sink = new Inner();
      Levels levels = new Levels('a', policy(fanOut), sink);
      List<Long> expected = new ArrayList<>();
      for (int i = 0; i < leaves; i++) {
        levels.add(new LeafContent('a', "[]", 10, Ids.NONE, random.nextInt(9), "0" + i));
        expected.add(sink.lastLeaf);
      }
      long root = levels.root();
      List<Long> actual = new ArrayList<>();
      sink.leaves(root, actual);
      assertThat(actual).as("%d leaves, seed %d", leaves, SEED + leaves).isEqualTo(expected);
      assertThat(sink.nodes.values())
          .allSatisfy(children -> assertThat(children).hasSizeBetween(2, fanOut));
      assertThat(leaves == 1 ? sink.nodes.size() : root).isEqualTo(leaves == 1 ? 0 : sink.last);
    }
  }

  private static List<LeafContent> cut(char kind, boolean whole, int[] sizes, List<Integer> kids)
      throws SQLException {
    List<LeafContent> cut = new ArrayList<>();
    LeafBuilder pieces = new LeafBuilder(kind, policy(4), whole, new Nodes(), cut::add);
    for (int i = 0; i < sizes.length; i++) {
      Fragment value =
          kids.contains(i)
              ? Fragment.marker(i)
              : Builder.string(String.valueOf((char) ('a' + i % 26)).repeat(sizes[i]));
      if (kind == 'a') {
        pieces.add(value);
      } else {
        pieces.add("k%05d".formatted(i), value);
      }
    }
    if (pieces.wasCut()) {
      pieces.close();
    } else {
      Fragment all = pieces.asFragment();
      cut.add(
          new LeafContent(
              kind, all.text(), all.size(), all.kids(), sizes.length, LeafContent.NO_LOW));
    }
    return cut;
  }

  /** Returns the size of entries: 4 bytes each, plus key and value, plus 4 for the container. */
  private static long bytes(char kind, int[] sizes, List<Integer> kids, int from, int count) {
    long bytes = 4;
    for (int i = from; i < from + count; i++) {
      bytes += 4 + (kind == 'o' ? 6 + 4 : 0) + (kids.contains(i) ? 40 : sizes[i]);
    }
    return bytes;
  }

  @Test
  void leaves_recordSizeCountAndBranches_andAreNeverOverfull() throws SQLException {
    for (int run = 0; run < 300; run++) {
      Random random = new Random(SEED + run);
      char kind = random.nextBoolean() ? 'a' : 'o';
      int[] sizes = random.ints(random.nextInt(80), 0, 150).toArray();
      List<Integer> kids = new ArrayList<>();
      for (int i = 0; i < sizes.length; i++) {
        if (random.nextInt(10) == 0) {
          kids.add(i);
        }
      }
      boolean whole = random.nextInt(4) == 0;
      int next = 0;
      List<Long> named = new ArrayList<>();
      for (LeafContent piece : cut(kind, whole, sizes, kids)) {
        var value = Json.readStored(piece.text());
        String as = "seed " + (SEED + run) + ": " + piece;
        assertThat(value.size()).as(as).isEqualTo(piece.count());
        assertThat(piece.bytes()).as(as).isEqualTo(bytes(kind, sizes, kids, next, piece.count()));
        if (!whole) {
          assertThat(piece.bytes()).as(as).isLessThanOrEqualTo(512);
        }
        next += piece.count();
        for (int i = 0; i < piece.kids().size(); i++) {
          named.add(piece.kids().get(i));
        }
      }
      assertThat(next).isEqualTo(sizes.length);
      assertThat(named).isEqualTo(kids.stream().map(i -> (long) i).toList());
    }
  }

  @Test
  void listsOfNumbers_areSplitAtTheirLimit() {
    for (int count : new int[] {0, 1, 4, 5, 4_999, 5_000, 5_001, 10_000}) {
      Ids all = new Ids();
      assertThat(all.isEmpty()).isTrue();
      for (int i = 1; i <= count; i++) {
        all.add(i);
        assertThat(all.isFull()).isEqualTo(i == 5_000);
      }
      assertThat(all.isEmpty()).isEqualTo(count == 0);
      List<Integer> sizes = all.batches().stream().map(Ids::size).toList();
      assertThat(sizes).hasSize((count + 4_999) / 5_000);
      assertThat(sizes.stream().mapToInt(i -> i).sum()).isEqualTo(count);
      assertThat(sizes).allMatch(size -> size > 0 && size <= 5_000);
    }
  }

  @Test
  void newNumbers_areTheTimeFollowedByRandomBits() {
    long before = (System.currentTimeMillis() - 1_767_225_600_000L) << 20;
    long low = 0;
    long first = Ids.next();
    long last = first;
    for (int i = 0; i < 100; i++) {
      last = Ids.next();
      low |= last;
    }
    assertThat(first).isGreaterThanOrEqualTo(before);
    assertThat(last).isGreaterThan(first).isLessThan(1_000_000_000_000_000_000L);
    assertThat(low & 0xFFFFF).isNotZero();
  }
}
