package io.pgtoaster.examples.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.embedded.EmbeddedPostgres;
import io.pgtoaster.embedded.Home;
import io.pgtoaster.embedded.PostgresBinaries;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

final class TelemetryIT {
  @Test
  void everyReadingIsStored_andOldAlarmsAreDiscarded() throws Exception {
    PostgresBinaries binaries = PostgresBinaries.fromClasspath(Home.cacheDirectory());
    try (EmbeddedPostgres postgres =
        EmbeddedPostgres.builder(binaries).temporary().setting("fsync", "off").start()) {
      String url = postgres.jdbcUrlWithPassword("postgres");
      ByteArrayOutputStream out = new ByteArrayOutputStream();

      Telemetry.run(url, new PrintStream(out, true, StandardCharsets.UTF_8));

      PGSimpleDataSource dataSource = new PGSimpleDataSource();
      dataSource.setURL(url);
      BlobColumn lines = PgToaster.create(dataSource).blobs("example_telemetry", "lines");
      for (int device : new int[] {1, 500, 1000}) {
        List<String> readings = lines.tail("device " + device, 1000);
        assertThat(readings).hasSize(30).isSorted();
        assertThat(readings).allMatch(reading -> reading.contains("\"device\": " + device + ","));
      }
      assertThat(out.toString(StandardCharsets.UTF_8).lines())
          .hasSize(5)
          .first()
          .asString()
          .startsWith("30000 readings in ");
      assertThat(lines.info("alarms").orElseThrow().first()).isPositive();
    }
  }
}
