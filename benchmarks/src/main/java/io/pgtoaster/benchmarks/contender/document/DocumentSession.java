package io.pgtoaster.benchmarks.contender.document;

import java.sql.Connection;

/** A session of a {@link DocumentContender}: by a connection to PostgreSQL. */
public interface DocumentSession extends StoreSession {
  /** The connection, for questions in SQL. */
  Connection connection();
}
