package io.pgtoaster.benchmarks.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class TableScansTest {
  private static TableScans scans(long count, long pages) {
    return new TableScans(Map.of("bench.docs", new TableScans.Table(count, pages)));
  }

  @Test
  void scanOfALargeTable_isReported() {
    assertThat(scans(3, 50).since(scans(2, 50))).containsExactly("bench.docs");
    assertThat(scans(3, 50).since(scans(3, 50))).isEmpty();
  }

  @Test
  void scanOfATinyTable_isIgnored() {
    assertThat(scans(3, 2).since(scans(2, 2))).isEmpty();
  }

  @Test
  void grownOrNewTable_isJudgedByItsCurrentSize() {
    assertThat(scans(3, 50).since(scans(2, 0))).containsExactly("bench.docs");
    assertThat(scans(1, 50).since(new TableScans(Map.of()))).containsExactly("bench.docs");
  }
}
