package io.pgtoaster.docs;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Combines the samples of a page that are not whole files into one program. A comment {@code // ->}
 * gives the expected result of the expression on its line; in SQL it is {@code -->}.
 */
final class Snippets {
  private static final Pattern RESULT =
      Pattern.compile("^(\\s*)(?:[\\w<>]+ (\\w+) = )?(.*);\\s+// -> (.*)$");
  private static final Pattern COMMENT = Pattern.compile("\\s+//\\s.*$");

  private Snippets() {}

  /**
   * Returns the source of a class {@code Page} with the samples and a method {@code run(DataSource,
   * String, Path, PageResults)}.
   *
   * @param samples samples of a page
   * @return the source
   */
  static String program(List<Guide.Sample> samples) {
    List<String> lines = new ArrayList<>();
    for (Guide.Sample sample : samples) {
      switch (sample.language()) {
        case "java" -> sample.text().lines().forEach(line -> lines.add(java(line)));
        case "sql" -> sample.text().lines().forEach(line -> lines.add(sql(line)));
        default -> throw new AssertionError("nothing runs a sample of " + sample.language());
      }
    }
    return """
        import static java.nio.charset.StandardCharsets.UTF_8;

        import io.pgtoaster.*;
        import io.pgtoaster.blob.*;
        import io.pgtoaster.column.*;
        import io.pgtoaster.error.*;
        import io.pgtoaster.jsonb.*;
        import io.r2dbc.postgresql.codec.Json;
        import io.r2dbc.spi.ConnectionFactories;
        import io.r2dbc.spi.ConnectionFactory;
        import io.vertx.core.Future;
        import io.vertx.core.Vertx;
        import io.vertx.core.buffer.Buffer;
        import io.vertx.core.json.JsonObject;
        import io.vertx.pgclient.PgBuilder;
        import io.vertx.sqlclient.Pool;
        import io.vertx.sqlclient.RowSet;
        import io.vertx.sqlclient.Tuple;
        import java.io.*;
        import java.math.BigDecimal;
        import java.nio.file.*;
        import java.sql.Connection;
        import java.sql.Statement;
        import java.time.Duration;
        import java.util.*;
        import javax.sql.DataSource;
        import reactor.core.publisher.Flux;
        import reactor.core.publisher.Mono;

        public class Page {
          public static void run(DataSource dataSource, String url, Path file, io.pgtoaster.docs.PageResults pageResults) throws Exception {
        %s
          }
        }
        """
        .formatted(String.join("\n", lines));
  }

  private static String java(String line) {
    Matcher result = RESULT.matcher(line);
    if (!result.matches()) {
      return COMMENT.matcher(line).replaceFirst("");
    }
    String expected = quoted(result.group(4));
    return "%spageResults.is(%s, %s);".formatted(result.group(1), expected, result.group(3));
  }

  private static String sql(String line) {
    String[] parts = line.split(";?\\s+--> ", 2);
    return parts.length == 1
        ? "pageResults.sql(dataSource, %s);".formatted(quoted(line))
        : "pageResults.is(%s, pageResults.query(dataSource, %s));"
            .formatted(quoted(parts[1]), quoted(parts[0]));
  }

  private static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
