package io.pgtoaster.chatmemory;

import io.pgtoaster.PgToaster;
import io.pgtoaster.column.ColumnName;
import java.util.ArrayList;
import java.util.List;
import org.postgresql.ds.PGSimpleDataSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Another JVM that adds numbered messages to a conversation for some time. */
final class Appender {
  static final String URL = "PGTOASTER_TEST_URL";

  private Appender() {}

  /**
   * Prints the number of added messages.
   *
   * @param arguments table, id, name of the writer, seconds
   */
  public static void main(String... arguments) {
    PGSimpleDataSource dataSource = new PGSimpleDataSource();
    dataSource.setURL(System.getenv(URL)); // with the password, which no argument may show
    Conversations conversations =
        new Conversations(
            PgToaster.create(dataSource),
            RowStatements.on(dataSource),
            ColumnName.of(arguments[0], "conversation"));
    long end = System.nanoTime() + Long.parseLong(arguments[3]) * 1_000_000_000;
    int turn = 0;
    while (System.nanoTime() < end) {
      List<JsonNode> messages = new ArrayList<>(conversations.read(arguments[1]));
      messages.add(JsonNodeFactory.instance.objectNode().put("text", arguments[2] + turn));
      conversations.write(arguments[1], messages);
      turn++;
    }
    System.out.println(turn);
  }
}
