package io.pgtoaster.examples.jdbclog;

import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.blob.FollowOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** Reads a log from an offset on, and goes on as it grows, until it is sealed. */
public final class LogFollower {
  private final BlobColumn column;
  private final Object key;

  /**
   * Creates a follower.
   *
   * @param column where the log is, over a data source
   * @param key of the log's row
   */
  public LogFollower(BlobColumn column, Object key) {
    this.column = column;
    this.key = key;
  }

  /**
   * Gives lines as they come. No connection is held while none comes.
   *
   * @param from offset of the first byte
   * @param lines takes each line, without its end
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
