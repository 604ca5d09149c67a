package io.pgtoaster.jsonb.keyed.write;

import io.pgtoaster.column.RowKey;
import io.pgtoaster.internal.Query;
import io.pgtoaster.jsonb.keyed.store.KeyedSql;
import io.pgtoaster.jsonb.keyed.store.KeyedStore;
import io.pgtoaster.jsonb.keyed.store.Refusals;
import java.sql.Connection;
import java.sql.SQLException;

/** The number of the document of a row that is being stored. */
final class DocumentNumber {
  private final KeyedStore store;
  private final Connection connection;
  private final RowKey key;
  private long number;

  DocumentNumber(KeyedStore store, Connection connection, RowKey key) {
    this.store = store.at(key);
    this.connection = connection;
    this.key = key;
  }

  /** Returns the number; creates a head if the document has none yet. */
  long create() throws SQLException {
    if (number == 0) {
      number =
          Query.list(connection, store.sql(KeyedSql.CREATE_HEAD), r -> r.getLong(1), key).stream()
              .findFirst()
              .orElseThrow(Refusals::noRow);
    }
    return number;
  }

  void set(long stored) {
    number = stored;
  }

  /** Returns the number; 0 if the document has none yet. */
  long orZero() {
    return number;
  }
}
