package io.pgtoaster.examples.app.log;

import io.pgtoaster.PgToaster;
import java.nio.charset.StandardCharsets;
import java.time.LocalTime;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;

/** Starts the log at the first start, with some lines from the previous day. */
@Component
final class FirstLog implements SmartInitializingSingleton {
  private static final int LINES = 40_000;
  private static final List<String> EVENTS =
      List.of(
          "GET /orders/%d 200",
          "GET /orders/%d 404",
          "POST /orders 201 id=%d",
          "cache miss key=%08x",
          "payment %d accepted",
          "retry 1 of 3 for job %d",
          "user %d signed in");

  private final PgToaster toaster;
  private final JdbcTemplate jdbc;
  private final TransactionTemplate transactions;

  FirstLog(PgToaster toaster, JdbcTemplate jdbc, TransactionTemplate transactions) {
    this.toaster = toaster;
    this.jdbc = jdbc;
    this.transactions = transactions;
  }

  @Override
  public void afterSingletonsInstantiated() {
    transactions.executeWithoutResult(
        status -> {
          if (jdbc.queryForList("SELECT id FROM example_service_log").isEmpty()) {
            begin();
          }
        });
  }

  private void begin() {
    byte[] lines = yesterday().getBytes(StandardCharsets.UTF_8);
    jdbc.update("INSERT INTO example_service_log (id) VALUES (?)", ServiceLog.ROW);
    toaster.blobs("example_service_log", "lines").append(ServiceLog.ROW, lines);
    jdbc.update("INSERT INTO example_service_log_plain VALUES (?, ?)", ServiceLog.ROW, lines);
  }

  private static String yesterday() {
    Random random = new Random(7);
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < LINES; i++) {
      LocalTime time = LocalTime.ofNanoOfDay(i * 2_100_000_000L + random.nextInt(1_000_000_000));
      String event = EVENTS.get(random.nextInt(EVENTS.size()));
      lines
          .append(time.format(ServiceLog.TIME))
          .append("  ")
          .append(String.format(Locale.ROOT, event, random.nextInt(1_000_000)))
          .append('\n');
    }
    return lines.toString();
  }
}
