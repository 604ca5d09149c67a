package io.pgtoaster.examples.jdbclog;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.embedded.EmbeddedPostgres;
import io.pgtoaster.embedded.Home;
import io.pgtoaster.embedded.PostgresBinaries;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.ErrorManager;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

final class MainIT {
  @AutoClose private static EmbeddedPostgres postgres;

  @BeforeAll
  static void start() {
    postgres =
        EmbeddedPostgres.builder(PostgresBinaries.fromClasspath(Home.cacheDirectory()))
            .temporary()
            .start();
  }

  @Test
  void twoFollowersSeeTheLines_andTheLateOneSeesTheRest() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();

    Main.run(url(), new PrintStream(out, true, StandardCharsets.UTF_8));

    List<String> lines = out.toString(StandardCharsets.UTF_8).lines().toList();
    assertThat(of("first ", lines)).hasSize(8).first().asString().endsWith("INFO the shop is open");
    assertThat(of("  late", lines))
        .hasSize(2)
        .first()
        .asString()
        .endsWith("WARNING no apples left");
    assertThat(lines).last().asString().endsWith("bytes in one blob");
  }

  private static List<String> of(String follower, List<String> lines) {
    return lines.stream().filter(line -> line.startsWith(follower)).toList();
  }

  @Test
  void handler_whoseRowWasDeleted_reportsAndDoesNotThrow() throws Exception {
    Main.run(url(), new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8));
    PGSimpleDataSource dataSource = new PGSimpleDataSource();
    dataSource.setURL(url());
    BlobColumn column = PgToaster.create(dataSource).blobs("example_log", "lines");
    BlobHandler handler = new BlobHandler(column, 99, new SimpleFormatter());
    List<Exception> reported = new ArrayList<>();
    handler.setErrorManager(
        new ErrorManager() {
          @Override
          public synchronized void error(String message, Exception e, int code) {
            reported.add(e);
          }
        });

    handler.publish(new LogRecord(Level.INFO, "nobody reads this"));

    assertThat(reported).hasSize(1);
  }

  private static String url() {
    return postgres.jdbcUrlWithPassword("postgres");
  }
}
