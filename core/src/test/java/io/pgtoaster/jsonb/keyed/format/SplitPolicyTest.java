package io.pgtoaster.jsonb.keyed.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.internal.json.Json;
import io.pgtoaster.internal.json.JsonbSize;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SplitPolicyTest {
  private static final SplitPolicy POLICY =
      new SplitPolicy(2000, 4096, 128, PinnedPaths.parse("[]"));

  @Test
  void inlineBudget_isReducedByOtherColumns_butNeverZero() {
    assertThat(POLICY.inlineBudget(0)).isEqualTo(1976);
    assertThat(POLICY.inlineBudget(1000)).isEqualTo(976);
    assertThat(POLICY.inlineBudget(100_000)).isEqualTo(128);
  }

  @Test
  void smallMembers_getHalfOfTheRow_nextToWideColumns() {
    assertThat(POLICY.smallBudget(1976)).isEqualTo(1976);
    assertThat(POLICY.smallBudget(128)).isEqualTo(1000);
  }

  @Test
  void pinnedMembers_areNotCounted() {
    PinnedPaths pins = PinnedPaths.parse("[\"/a\", \"/a/b\", \"/c/d\", \"/none/e\"]");
    String document = "{\"a\": {\"b\": \"%1$s\"}, \"c\": {\"d\": \"%1$s\", \"e\": 1}, \"f\": true}";
    long small = JsonbSize.size(Json.readTree("{\"c\": {\"e\": 1}, \"f\": true}"));
    assertThat(
            new SplitPolicy(2000, 4096, 128, pins)
                .sizeWithoutPinned(Json.readTree(document.formatted("x".repeat(500)))))
        .isBetween(small - 8, small + 8);
  }

  @Test
  void movedMembers_areTheLargest_andNoMoreThanNeeded() {
    Random random = new Random(Long.getLong("pgtoaster.test.seed", 7));
    for (int run = 0; run < 2_000; run++) {
      List<Long> sizes =
          IntStream.range(0, random.nextInt(30))
              .mapToObj(i -> (long) random.nextInt(1 << random.nextInt(14)))
              .collect(Collectors.toList());
      long total = 100 + sizes.stream().mapToLong(Long::longValue).sum();
      long budget = random.nextInt(4_000);
      List<Integer> movedOut = SplitPolicy.movedOut(sizes, total, budget);
      assertThat(movedOut).doesNotHaveDuplicates();
      long left = total;
      for (int i : movedOut) {
        assertThat(left).as("all earlier members had to be moved").isGreaterThan(budget);
        assertThat(sizes.get(i)).isGreaterThan(2L * SplitPolicy.MARKER);
        left -= sizes.get(i) - SplitPolicy.MARKED;
      }
      long smallestLeaver = movedOut.stream().mapToLong(sizes::get).min().orElse(Long.MAX_VALUE);
      for (int i = 0; i < sizes.size(); i++) {
        if (!movedOut.contains(i) && sizes.get(i) > 2L * SplitPolicy.MARKER) {
          assertThat(left).as("members stay only if the rest fits").isLessThanOrEqualTo(budget);
          assertThat(sizes.get(i)).isLessThanOrEqualTo(smallestLeaver);
        }
      }
    }
  }

  @Test
  void content_endsLeavesBetweenHalfAndFull() {
    Random random = new Random(Long.getLong("pgtoaster.test.seed", 9));
    int closed = 0;
    for (int i = 0; i < 20_000; i++) {
      int entry = 1 + random.nextInt(200);
      int filled = random.nextInt(4096);
      boolean closes = POLICY.closesAfter(filled, entry, random.nextInt());
      assertThat(closes && filled < 2048).isFalse();
      closed += closes ? 1 : 0;
      assertThat(POLICY.closesBefore(filled, entry)).isEqualTo(filled + entry > 4096);
    }
    assertThat(closed).isBetween(500, 2_000);
  }

  @Test
  void innerNodes_endAtTheFanOut() {
    for (int children = 0; children < 200; children++) {
      boolean any = false;
      boolean all = true;
      for (long id = 0; id < 500; id++) {
        boolean closes = POLICY.closesAfter(children, id);
        any |= closes;
        all &= closes;
      }
      assertThat(any).isEqualTo(children >= 64);
      assertThat(all).isEqualTo(children >= 128);
    }
  }
}
