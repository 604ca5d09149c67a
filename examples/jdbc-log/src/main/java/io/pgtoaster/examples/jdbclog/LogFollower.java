package io.pgtoaster.examples.jdbclog;

import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.blob.FollowOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** Reads a log from an offset and follows it as it grows, until it is sealed. */
public final class LogFollower {
  private final BlobColumn column;
  private final Object key;

  /**
   * Creates a follower.
   *
   * @param column column of the log, over a data source
   * @param key key of the log's row
   */
  public LogFollower(BlobColumn column, Object key) {
    this.column = column;
    this.key = key;
  }

  /**
   * Passes on lines as they are appended. Holds no connection while it waits.
   *
   * @param from offset of the first byte
   * @param lines receives each line without its line end
   * @throws IOException if the log cannot be read
   */
  public void follow(long from, Consumer<String> lines) throws IOException {
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(
                column.follow(key, FollowOptions.defaults().withFrom(from)),
                StandardCharsets.UTF_8))) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        lines.accept(line);
      }
    }
  }
}
