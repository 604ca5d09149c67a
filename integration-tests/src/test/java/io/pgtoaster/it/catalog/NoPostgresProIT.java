package io.pgtoaster.it.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.PgToaster;
import io.pgtoaster.column.ColumnName;
import io.pgtoaster.column.ToasterOptions;
import io.pgtoaster.error.CatalogException;
import io.pgtoaster.error.UnsupportedCapabilityException;
import io.pgtoaster.it.kit.Database;
import io.pgtoaster.it.kit.Expect;
import io.pgtoaster.it.kit.PostgresServers;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Postgres Pro's toasters on servers that do not have them. */
class NoPostgresProIT {
  private static final String BYTEA = "postgrespro-bytea";

  @ParameterizedTest(name = "PostgreSQL {0}")
  @MethodSource("io.pgtoaster.it.kit.PostgresServers#sampled")
  void stockServer_isRefusedAndNothingChanges(int version) throws Exception {
    Database database = PostgresServers.shared(version).installed();
    PgToaster toaster = PgToaster.create(database.dataSource());
    database.run("CREATE TABLE item (id int PRIMARY KEY, content bytea, doc jsonb)");
    for (String setting : new String[] {"off", "on"}) {
      database.run("ALTER DATABASE " + database.name() + " SET pgtoaster.postgrespro = " + setting);
      Expect.refused(
          UnsupportedCapabilityException.class,
          () -> toaster.catalog().attach("item", "content", ToasterOptions.of(BYTEA)));
      Expect.refused(
          UnsupportedCapabilityException.class,
          () -> toaster.catalog().attach("item", "doc", ToasterOptions.of("postgrespro-jsonb")));
    }
    assertThat(toaster.catalog().status()).isEmpty();
    database.close();
  }

  /** The state after restoring a dump of Postgres Pro's server on another server. */
  @ParameterizedTest(name = "PostgreSQL {0}")
  @MethodSource("io.pgtoaster.it.kit.PostgresServers#sampled")
  void columnThatWasAttachedElsewhere_isRefusedUntilItIsDetached(int version) throws Exception {
    Database database = PostgresServers.shared(version).installed();
    PgToaster toaster = PgToaster.create(database.dataSource());
    database.run(
        "CREATE TABLE item (id int PRIMARY KEY, content bytea, pgtoaster_1_length bigint)",
        "INSERT INTO item VALUES (1, 'abc', 3)",
        "INSERT INTO pgtoaster.store (id, owner, column_name, toaster) VALUES (1, 'item'::regclass,"
            + " 'content', '"
            + BYTEA
            + "')");
    Expect.refused(CatalogException.class, () -> toaster.blobs("item", "content").length(1));
    toaster.catalog().detach(ColumnName.of("item", "content"));
    assertThat(toaster.blobs("item", "content").length(1)).isEqualTo(3);
    database.close();
  }
}
