package io.pgtoaster.column;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.error.RowNotFoundException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RowKeyTest {
  private static final List<KeyColumn> COLUMNS = List.of(new KeyColumn("id", "pg_catalog", "text"));

  @ParameterizedTest
  @ValueSource(strings = {"\ud83d", "a\ude00", "\ud83dx", "\ude00\ud83d", "\ud83d\ud83d\ude00"})
  void halfOfASurrogatePair_isRefused(String key) {
    assertThatThrownBy(() -> RowKey.of(key, COLUMNS))
        .isInstanceOf(RowNotFoundException.class)
        .hasMessageContaining("half of a surrogate pair");
  }

  @Test
  void wholeSurrogatePairs_areKept() {
    assertThat(RowKey.of("a\ud83d\ude00b", COLUMNS).values()).containsExactly("a\ud83d\ude00b");
  }
}
