package io.pgtoaster.it.jsonb.tree;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.error.ConnectionLostException;
import io.pgtoaster.error.OutcomeUnknownException;
import io.pgtoaster.it.kit.Cuts;
import io.pgtoaster.it.kit.DocumentFixture;
import io.pgtoaster.it.kit.DocumentSpec;
import io.pgtoaster.it.kit.PostgresServers;
import io.pgtoaster.it.kit.Setting;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Compaction reads the document through a cursor, in batches of rows. Any fetch may fail. */
final class CompactConnectionIT {
  /** A document with more nodes than one fetch returns. */
  private static final String DOCUMENT =
      IntStream.range(0, 400)
          .mapToObj(i -> "\"%d-%s\"".formatted(i, "x".repeat(300)))
          .collect(Collectors.joining(",", "{\"id\": 1, \"items\": [", "]}"));

  @AutoClose private DocumentFixture fx;

  @BeforeEach
  void open() {
    fx =
        new DocumentFixture(
            new Setting(PostgresServers.newest(), true),
            DocumentSpec.keyed("{\"leaf_size\": 512, \"row_budget\": 256}"));
    fx.run("INSERT INTO item (id) VALUES (1)");
    fx.own().putJson(1L, DOCUMENT);
  }

  @Test
  void connectionCutAtAnyMessage_throwsATypedException_andKeepsTheDocument() throws Exception {
    int lost = 0;
    try (Cuts cuts = new Cuts(fx.database())) {
      Cuts.Cut cut;
      do {
        cut =
            cuts.run(
                lost + 1,
                false,
                toaster -> toaster.documents("item", "doc").at(1L, "id").type(),
                toaster -> toaster.documents("item", "doc").compact(1L));
        if (cut.thrown() != null) {
          assertThat(cut.thrown())
              .isInstanceOfAny(ConnectionLostException.class, OutcomeUnknownException.class);
          lost++;
        }
      } while (cut.hit());
    }
    assertThat(lost).as("messages that were cut").isGreaterThan(5);
    fx.assertDocument(1L, DOCUMENT);
  }

  @Test
  void serializationFailureAtAnyNode_isRetried() {
    fx.run(
        "CREATE SEQUENCE looked",
        "CREATE TABLE fails_at (n bigint)",
        """
            CREATE FUNCTION look(id bigint) RETURNS boolean LANGUAGE plpgsql AS $$
            BEGIN
              IF nextval('public.looked') = (SELECT n FROM public.fails_at) THEN
                RAISE EXCEPTION 'another was faster' USING ERRCODE = '40001';
              END IF;
              RETURN true;
            END $$
            """,
        "ALTER TABLE %s RENAME TO kept".formatted(fx.table("node")),
        "CREATE VIEW %s AS SELECT * FROM pgtoaster.kept WHERE public.look(id)"
            .formatted(fx.table("node")));
    for (int i = 0; i < 2; i++) {
      fx.run("ALTER SEQUENCE looked RESTART");
      assertThat(fx.own().compact(1L)).isZero();
    }
    long looks = fx.number("SELECT last_value FROM looked");
    for (long n = looks / 20; n < looks * 4 / 5; n += looks / 10) {
      fx.run(
          "ALTER SEQUENCE looked RESTART",
          "TRUNCATE fails_at",
          "INSERT INTO fails_at VALUES (" + n + ")");
      assertThat(fx.own().compact(1L)).isZero();
      assertThat(fx.number("SELECT last_value FROM looked")).isGreaterThan(n);
    }
    assertThat(fx.document(1L)).isEqualTo(fx.canonical(DOCUMENT));
  }
}
