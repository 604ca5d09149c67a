package io.pgtoaster.jsonb.keyed;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ReachesTest {
  private final Reaches reaches = new Reaches();

  private Reach after(Reach... found) {
    for (Reach reach : found) {
      reaches.found(0, reach);
    }
    return reaches.expected(0);
  }

  @Test
  void unknownPath_isExpectedInTheRow() {
    assertThat(after()).isEqualTo(Reach.ROW);
  }

  @Test
  void firstFind_isBelieved() {
    assertThat(after(Reach.NODE)).isEqualTo(Reach.NODE);
  }

  @Test
  void exception_changesNothing() {
    assertThat(after(Reach.NODE, Reach.NODE, Reach.ROW)).isEqualTo(Reach.NODE);
    assertThat(after(Reach.NODE, Reach.ROW)).isEqualTo(Reach.NODE);
  }

  @Test
  void secondFindInARow_isBelieved() {
    assertThat(after(Reach.ROW, Reach.ROW, Reach.BRANCHES, Reach.BRANCHES))
        .isEqualTo(Reach.BRANCHES);
  }

  @Test
  void positions_shareASlot() {
    assertThat(Reaches.slot(new Steps(List.of("a", "7", "b"))))
        .isEqualTo(Reaches.slot(new Steps(List.of("a", "123", "b"))))
        .isNotEqualTo(Reaches.slot(new Steps(List.of("a", "7", "c"))));
  }

  @Test
  void textWithAMarker_isNotWhole() {
    assertThat(whole("{\"a\": {\"$pgtoaster\": 5}}")).isFalse();
    assertThat(whole("{\"$$pgtoaster\": 5}")).isFalse();
    assertThat(whole("{\"pgtoaster\":5}")).isTrue();
    assertThat(whole("\"pgtoaster\"")).isTrue();
    assertThat(whole("7")).isTrue();
  }

  private static boolean whole(String text) {
    return QuickReads.isWhole(text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
  }
}
