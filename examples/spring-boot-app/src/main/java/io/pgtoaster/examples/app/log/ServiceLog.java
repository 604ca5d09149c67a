package io.pgtoaster.examples.app.log;

import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.AppendOptions;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.column.AppendResult;
import io.pgtoaster.column.AppendToken;
import io.pgtoaster.examples.app.cost.Comparison;
import io.pgtoaster.examples.app.cost.CostMeter;
import io.pgtoaster.examples.app.cost.Measured;
import java.nio.charset.StandardCharsets;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

/** A log, stored with pgtoaster and in a plain {@code bytea} column. */
@Component
final class ServiceLog {
  static final int ROW = 1;
  static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss.SSS", Locale.ROOT);

  private final BlobColumn lines;
  private final JdbcTemplate jdbc;
  private final CostMeter meter;

  ServiceLog(PgToaster toaster, JdbcTemplate jdbc, CostMeter meter) {
    this.lines = toaster.blobs("example_service_log", "lines");
    this.jdbc = jdbc;
    this.meter = meter;
  }

  BlobColumn lines() {
    return lines;
  }

  long length() {
    return lines.length(ROW);
  }

  /**
   * Appends a line. If a browser loses its connection, it sends the request again without knowing
   * whether the first one arrived. The token ensures that the line is stored only once.
   */
  Comparison append(String text, AppendToken token) {
    String line =
        LocalTime.now(ZoneId.systemDefault()).format(TIME)
            + "  "
            + text.replaceAll("\\p{Cntrl}+", " ")
            + "\n";
    byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
    AppendOptions options = AppendOptions.defaults().withToken(token);
    Measured<AppendResult> ours =
        meter.measure("example_service_log", () -> lines.append(ROW, bytes, options));
    if (ours.value().repeated()) {
      return new Comparison("Recognise a line that was sent before", ours.cost(), null);
    }
    Measured<?> plain =
        meter.measure(
            "example_service_log_plain",
            () ->
                jdbc.update(
                    "UPDATE example_service_log_plain SET lines = lines || ? WHERE id = ?",
                    bytes,
                    ROW));
    return new Comparison("Append a line of " + bytes.length + " bytes", ours.cost(), plain.cost());
  }
}
