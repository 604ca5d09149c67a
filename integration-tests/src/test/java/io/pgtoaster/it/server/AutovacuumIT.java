package io.pgtoaster.it.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.embedded.EmbeddedPostgres;
import io.pgtoaster.it.kit.Database;
import io.pgtoaster.it.kit.Options;
import io.pgtoaster.it.kit.PostgresServers;
import io.pgtoaster.it.kit.Server;
import io.pgtoaster.it.kit.Sql;
import java.sql.Connection;
import org.junit.jupiter.api.Test;

/** A server with autovacuum, which is off in other tests. */
class AutovacuumIT {
  /** The worker evaluates the index expression, which waits for a lock that the test holds. */
  private static final String BUSY =
      """
      CREATE TABLE busy (x integer) WITH (autovacuum_analyze_threshold = 1, autovacuum_analyze_scale_factor = 0);
      CREATE FUNCTION waiting(integer) RETURNS integer IMMUTABLE LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM pg_catalog.pg_advisory_xact_lock_shared(77);
        RETURN $1;
      END $$;
      CREATE INDEX ON busy (public.waiting(x))\
      """;

  @Test
  void gc_continuesWhileAutovacuumRuns() throws Exception {
    int version = PostgresServers.newest();
    try (EmbeddedPostgres postgres =
        PostgresServers.builder(version)
            .setting("fsync", "off")
            .setting("autovacuum_naptime", "1s")
            .start()) {
      Database database = new Server(postgres, version).installed();
      try (Connection holder = database.connect()) {
        Sql.run(
            holder,
            BUSY,
            "SELECT pg_advisory_lock(77)",
            "INSERT INTO busy SELECT generate_series(1, 100)",
            "SELECT pg_stat_force_next_flush()",
            "CREATE TABLE item (id bigint PRIMARY KEY, content bigint)",
            "SELECT pgtoaster.attach('item', 'content', 'appendable')");
        database.awaitNumber(
            "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'autovacuum worker'"
                + " AND wait_event_type = 'Lock' AND datname = current_database()",
            waiting -> waiting > 0);
        Sql.run(holder, "INSERT INTO pgtoaster.store_1_head (chunk_size) VALUES (8100)");
        assertThat(Options.collect(database).items()).hasSize(1);
        assertThat(database.number("SELECT count(*) FROM pgtoaster.store_1_head")).isZero();
      }
      database.close();
    }
  }
}
