package io.pgtoaster.it.jsonb.locking;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.pgtoaster.error.ConcurrencyException;
import io.pgtoaster.it.kit.DocumentFixture;
import io.pgtoaster.it.kit.DocumentSpec;
import io.pgtoaster.it.kit.Documents;
import io.pgtoaster.it.kit.Setting;
import io.pgtoaster.it.kit.Sql;
import java.sql.Connection;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * If two transactions create nodes of one document in the same millisecond, they draw the same
 * number with a probability of one in a million. Here a trigger reports such a collision.
 */
class NodeNumberIT {
  private static final String COLLISION =
      """
      CREATE SEQUENCE drawn;
      CREATE FUNCTION collide() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF nextval('public.drawn') = 1 THEN
          RAISE unique_violation USING CONSTRAINT = 'store_1_node_pkey';
        END IF;
        RETURN NEW;
      END $$;
      CREATE TRIGGER collide BEFORE INSERT ON pgtoaster.store_1_node
        FOR EACH ROW EXECUTE FUNCTION collide()\
      """;

  @ParameterizedTest
  @MethodSource("io.pgtoaster.it.kit.Setting#edges")
  void usedNumber_isReplacedByANewOne(Setting setting) throws Exception {
    try (DocumentFixture fx = new DocumentFixture(setting, DocumentSpec.keyed("{}"))) {
      Object key = fx.row("{}");
      Sql.run(fx.connect(), COLLISION);
      fx.own().putJson(key, Documents.big(60));
      fx.assertDocument(key, Documents.big(60));
      fx.afterTest();
    }
  }

  @ParameterizedTest
  @MethodSource("io.pgtoaster.it.kit.Setting#edges")
  void usedNumber_inTheCallersTransaction_requestsARetry(Setting setting) throws Exception {
    try (DocumentFixture fx = new DocumentFixture(setting, DocumentSpec.keyed("{}"))) {
      Object key = fx.row("{}");
      Sql.run(fx.connect(), COLLISION);
      Connection connection = fx.connect();
      connection.setAutoCommit(false);
      assertThatExceptionOfType(ConcurrencyException.class)
          .isThrownBy(() -> fx.on(connection).putJson(key, Documents.big(60)))
          .withMessageContaining("run it again");
      connection.rollback();
      fx.assertDocument(key, "{}");
    }
  }
}
