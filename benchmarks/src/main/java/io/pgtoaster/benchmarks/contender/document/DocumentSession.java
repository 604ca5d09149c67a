package io.pgtoaster.benchmarks.contender.document;

import java.sql.Connection;

/** A session on a PostgreSQL server. */
public interface DocumentSession extends StoreSession {
  /** Returns the connection, for queries in SQL. */
  Connection connection();
}
