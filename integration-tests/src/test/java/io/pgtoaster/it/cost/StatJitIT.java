package io.pgtoaster.it.cost;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.it.kit.Database;
import io.pgtoaster.it.kit.PostgresServers;
import org.junit.jupiter.api.Test;

/** Statistics functions run without JIT, because compilation takes longer than their statements. */
class StatJitIT {
  @Test
  void functionsThatReportOnContent_runWithoutJit() throws Exception {
    Database database = PostgresServers.shared(PostgresServers.newest()).installed();
    try {
      assertThat(
              database.strings(
                  "SELECT p.proname FROM pg_proc p"
                      + " WHERE p.pronamespace = 'pgtoaster'::regnamespace"
                      + " AND 'jit=off' = ANY (p.proconfig) ORDER BY 1"))
          .contains("column_stat", "document_stat", "status");
    } finally {
      database.close();
    }
  }
}
