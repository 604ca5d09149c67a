package io.pgtoaster.benchmarks.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Scans of other sessions are visible immediately. */
@Tag("ci")
class TableScansIT {
  @Test
  void sequentialScan_isDetected_andAKeyLookup_isNot() throws Exception {
    try (OwnServer server = OwnServer.start(Path.of(".."), 18, false)) {
      Target target = new Target(server.url(), null, null, true);
      target.use();
      Templates.make(target);
      try (Database database = Database.create(Kind.PLAIN)) {
        database.run("CREATE TABLE bench.docs (id bigint PRIMARY KEY, number bigint)");
        database.run("INSERT INTO bench.docs SELECT i, i FROM generate_series(1, 10000) i");
        database.vacuum();
        Connection session = database.connect();
        TableScans before = database.scans();

        Sql.number(session, "SELECT number FROM docs WHERE id = 7");
        TableScans byKey = database.scans();
        Sql.number(session, "SELECT id FROM docs WHERE number = 7");

        assertThat(byKey.since(before)).isEmpty();
        assertThat(database.scans().since(byKey)).containsExactly("bench.docs");
      }
    }
  }
}
