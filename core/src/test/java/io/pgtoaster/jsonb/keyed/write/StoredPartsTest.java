package io.pgtoaster.jsonb.keyed.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.jsonb.keyed.format.Ids;
import io.pgtoaster.jsonb.keyed.format.Markers;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Numbers, markers, and nodes found by their content. */
class StoredPartsTest {
  private static byte[] digest(long a, long b) {
    return ByteBuffer.allocate(16).putLong(a).putLong(b).array();
  }

  @Test
  void numbers_grow_andAreNeverAssignedTwice() throws InterruptedException, ExecutionException {
    ExecutorService threads = Executors.newFixedThreadPool(4);
    List<Future<List<Long>>> all = new ArrayList<>();
    for (int t = 0; t < 4; t++) {
      all.add(
          threads.submit(
              () -> {
                List<Long> ids = new ArrayList<>();
                for (int i = 0; i < 20_000; i++) {
                  ids.add(Ids.next());
                }
                return ids;
              }));
    }
    Set<Long> seen = new HashSet<>();
    for (Future<List<Long>> one : all) {
      assertThat(one.get()).isSorted().allMatch(id -> id > 0 && id < 1_000_000_000_000_000_000L);
      seen.addAll(one.get());
    }
    threads.shutdown();
    assertThat(seen).hasSize(80_000);
  }

  @Test
  void listsOfNumbers_areSplitIntoBatches() {
    Ids ids = new Ids();
    for (long i = 0; i < 12_001; i++) {
      ids.add(i);
    }
    assertThat(ids.batches()).extracting(Ids::size).containsExactly(5_000, 5_000, 2_001);
    assertThat(ids.batches().get(2).get(2_000)).isEqualTo(12_000);
    assertThat(Ids.of(5).literal()).isEqualTo("{5}");
    assertThat(Ids.NONE.literal()).isEqualTo("{}");
  }

  @Test
  void keysThatLookLikeMarkers_areReadBack() {
    for (String key :
        List.of(
            "",
            "$",
            "pgtoaster",
            "$pgtoaster",
            "$$pgtoaster",
            "$$$pgtoaster",
            "x$pgtoaster",
            "$pgtoaster ")) {
      String escaped = Markers.escape(key);
      assertThat(Markers.unescape(escaped)).isEqualTo(key);
      assertThat(escaped).isNotEqualTo(Markers.KEY);
      assertThat(escaped.equals(key)).isEqualTo(!key.matches("\\$+pgtoaster"));
    }
  }

  @Test
  void storedNodes_areReusedOnce_smallestNumberFirst() {
    Random random = new Random(Long.getLong("pgtoaster.test.seed", 3));
    for (int run = 0; run < 200; run++) {
      StoredNodes stored = new StoredNodes();
      List<List<Long>> model = new ArrayList<>();
      int kinds = 1 + random.nextInt(20);
      for (int k = 0; k < kinds; k++) {
        model.add(new ArrayList<>());
      }
      int count = random.nextInt(300);
      for (long id = 1; id <= count; id++) {
        int kind = random.nextInt(kinds);
        stored.add(id, digest(kind % 3, kind));
        model.get(kind).add(id);
      }
      stored.sort();
      for (int i = 0; i < 200; i++) {
        int kind = random.nextInt(kinds);
        List<Long> left = model.get(kind);
        long expected = left.isEmpty() ? StoredNodes.NONE : left.remove(0);
        assertThat(stored.take(digest(kind % 3, kind))).isEqualTo(expected);
      }
      assertThat(stored.take(digest(99, 99))).isEqualTo(StoredNodes.NONE);
      Set<Long> unused = new HashSet<>();
      for (int i = 0; i < stored.unused().size(); i++) {
        unused.add(stored.unused().get(i));
      }
      Set<Long> left = new HashSet<>();
      model.forEach(left::addAll);
      assertThat(unused).isEqualTo(left);
    }
  }
}
