package io.pgtoaster.jsonb.keyed.edit;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.jsonb.keyed.format.Steps;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RowGuessTest {
  private static final int SLOT = RowGuess.slot(new Steps(List.of("roles")));

  private final RowGuess guess = new RowGuess();

  private void found(int times, boolean inRow) {
    for (int i = 0; i < times; i++) {
      guess.found(SLOT, inRow);
    }
  }

  @Test
  void row_isExpectedAfterTwoEditsInIt() {
    assertThat(guess.expects(SLOT)).isFalse();
    found(1, true);
    assertThat(guess.expects(SLOT)).isFalse();
    found(1, true);
    assertThat(guess.expects(SLOT)).isTrue();
    assertThat(guess.expects(RowGuess.slot(new Steps(List.of("height"))))).isFalse();
  }

  @Test
  void wrongGuess_isRepeatedAfterSixteenEditsInTheRow() {
    found(2, true);
    found(2, false);
    found(15, true);
    assertThat(guess.expects(SLOT)).isFalse();
    found(1, true);
    assertThat(guess.expects(SLOT)).isTrue();
  }

  @Test
  void oneEditElsewhere_restartsTheSixteen() {
    found(2, true);
    found(1, false);
    found(15, true);
    found(1, false);
    found(15, true);
    assertThat(guess.expects(SLOT)).isFalse();
  }

  @Test
  void ifEverySecondDocumentIsSmall_fewGuessesAreWrong() {
    Random random = new Random(Long.getLong("pgtoaster.test.seed", 7));
    int wrong = 0;
    for (int i = 0; i < 10_000; i++) {
      boolean inRow = random.nextBoolean();
      wrong += guess.expects(SLOT) && !inRow ? 1 : 0;
      guess.found(SLOT, inRow);
    }
    assertThat(wrong).isLessThan(10);
  }

  @Test
  void positions_shareOneSlot() {
    assertThat(RowGuess.slot(new Steps(List.of("roles", "7", "title"))))
        .isEqualTo(RowGuess.slot(new Steps(List.of("roles", "-1", "title"))));
  }
}
