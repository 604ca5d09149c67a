package io.pgtoaster.column;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RowKeyTest {
  @Test
  void changeOfTheGivenList_doesNotChangeTheKey() {
    List<String> values = new ArrayList<>(List.of("7", "a"));
    RowKey key = new RowKey(values);
    values.set(0, "8");
    assertThat(key).isEqualTo(new RowKey(List.of("7", "a")));
  }
}
