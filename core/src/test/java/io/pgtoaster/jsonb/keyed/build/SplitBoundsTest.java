package io.pgtoaster.jsonb.keyed.build;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.jsonb.keyed.format.PinnedPaths;
import io.pgtoaster.jsonb.keyed.format.SplitPolicy;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The exact sizes at which leaves split, fold and close, and members are moved out. */
class SplitBoundsTest {
  private static SplitPolicy policy(int leafSize, int fanOut) {
    return new SplitPolicy(2000, leafSize, fanOut, PinnedPaths.parse("[]"));
  }

  @ParameterizedTest
  @ValueSource(ints = {512, 4096, 16384})
  void sizes_areComparedWithTheLeafSize(int leaf) {
    SplitPolicy policy = policy(leaf, 100);
    assertThat(policy.movesOutOfLeaf(leaf / 2)).isFalse();
    assertThat(policy.movesOutOfLeaf(leaf / 2 + 1)).isTrue();
    assertThat(policy.cutsString(leaf * 16L)).isFalse();
    assertThat(policy.cutsString(leaf * 16L + 1)).isTrue();
    assertThat(policy.pieceEnd("x".repeat(leaf * 16), 3)).isEqualTo(leaf * 4 + 3);
    assertThat(policy.closesBefore(leaf - 10, 10)).isFalse();
    assertThat(policy.closesBefore(leaf - 10, 11)).isTrue();
  }

  @Test
  void rowBudget_isReducedByHeaderAndOtherColumns() {
    SplitPolicy policy = policy(4096, 100);
    assertThat(policy.inlineBudget(0)).isEqualTo(1976);
    assertThat(policy.inlineBudget(1000)).isEqualTo(976);
    assertThat(policy.inlineBudget(1848)).isEqualTo(128);
    assertThat(policy.inlineBudget(1849)).isEqualTo(128);
  }

  @Test
  void content_mayEndALeafOnceItIsHalfFull() {
    SplitPolicy policy = policy(4096, 100);
    for (int hash = 0; hash < 5_000; hash++) {
      // An entry of a quarter of a leaf closes the leaf, regardless of the entry's content.
      assertThat(policy.closesAfter(2048, 1024, hash)).isTrue();
      assertThat(policy.closesAfter(2047, 1024, hash)).isFalse();
      assertThat(policy.closesAfter(4096, 0, hash)).isFalse();
    }
  }

  @Test
  void content_endsLeavesInProportionToItsSize() {
    SplitPolicy policy = policy(4096, 100);
    int closed = 0;
    for (int hash = 0; hash < 100_000; hash++) {
      closed += policy.closesAfter(3000, 100, hash) ? 1 : 0;
    }
    assertThat(closed / 100_000.0).isBetween(0.085, 0.111);
  }

  @Test
  void hashesThatDifferOnlyInHighBits_endLeavesAtDifferentPlaces() {
    SplitPolicy policy = policy(4096, 100);
    int closed = 0;
    for (int high = 0; high < 1 << 10; high++) {
      closed += policy.closesAfter(3000, 100, high << 22) ? 1 : 0;
    }
    assertThat(closed).isBetween(60, 140);
  }

  @Test
  void innerNodes_mayEndOnceTheyHaveHalfTheFanOut() {
    for (int fanOut : new int[] {4, 5, 100}) {
      SplitPolicy policy = policy(512, fanOut);
      int half = Math.max(fanOut / 2, 2);
      for (int children = 1; children <= fanOut + 1; children++) {
        int closed = 0;
        for (long id = 0; id < 10_000; id++) {
          closed += policy.closesAfter(children, id << 20) ? 1 : 0;
        }
        double share = children < half ? 0 : children >= fanOut ? 1 : 1.0 / Math.max(fanOut / 4, 2);
        assertThat(closed / 10_000.0)
            .as("%d of %d children", children, fanOut)
            .isBetween(share * 0.7, Math.min(1, share * 1.3));
      }
    }
  }

  @Test
  void memberOfTwoMarkers_staysInTheRow_andALargerOneMovesOut() {
    assertThat(SplitPolicy.movedOut(List.of(96L), 96, 0)).isEmpty();
    assertThat(SplitPolicy.movedOut(List.of(97L), 97, 0)).containsExactly(0);
  }

  @Test
  void members_moveOutLargestFirst_untilTheRestFitsExactly() {
    List<Long> sizes = List.of(200L, 400L, 300L, 400L);
    assertThat(SplitPolicy.movedOut(sizes, 1300, 1300)).isEmpty();
    assertThat(SplitPolicy.movedOut(sizes, 1300, 1299)).containsExactly(1);
    // A moved member leaves a marker of 40 bytes.
    assertThat(SplitPolicy.movedOut(sizes, 1300, 940)).containsExactly(1);
    assertThat(SplitPolicy.movedOut(sizes, 1300, 939)).containsExactly(1, 3);
    assertThat(SplitPolicy.movedOut(sizes, 1300, 580)).containsExactly(1, 3);
    assertThat(SplitPolicy.movedOut(sizes, 1300, 579)).containsExactly(1, 3, 2);
    assertThat(SplitPolicy.movedOut(sizes, 1300, 0)).containsExactly(1, 3, 2, 0);
  }
}
