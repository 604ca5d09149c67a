package io.pgtoaster.benchmarks.contender.document;

import io.pgtoaster.benchmarks.contender.Names;
import io.pgtoaster.benchmarks.contender.Storage;
import io.pgtoaster.benchmarks.server.Database;
import io.pgtoaster.benchmarks.server.Kind;
import java.sql.SQLException;

/** Plain {@code jsonb} and its operators, on a stock server or on Postgres Pro's. */
final class StockDocuments implements DocumentContender {
  private final Database database;

  StockDocuments(String name, Storage storage) throws SQLException {
    boolean pro = name.equals(Names.POSTGRES_PRO);
    this.database = Database.create(pro ? Kind.POSTGRES_PRO : Kind.PLAIN);
    database.run("CREATE TABLE bench.docs (id bigint PRIMARY KEY, number bigint, data jsonb)");
    storage.set(database, "bench.docs", "data");
    if (pro) {
      database.run("ALTER TABLE bench.docs ALTER COLUMN data SET TOASTER jsonb_toaster");
    }
  }

  @Override
  public Database database() {
    return database;
  }

  @Override
  public DocumentSession session() throws SQLException {
    return new StockDocumentSession(database.connect());
  }
}
