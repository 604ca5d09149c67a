package io.pgtoaster.benchmarks.contender.document;

import io.pgtoaster.benchmarks.contender.Names;
import io.pgtoaster.benchmarks.contender.Storage;
import io.pgtoaster.benchmarks.server.Database;
import io.pgtoaster.benchmarks.server.Target;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** A way to store JSON documents by number, on PostgreSQL or another server. */
public interface DocumentStore extends AutoCloseable {
  /** Documents without a value, beside those that are asked for: as many make no table tiny. */
  int OTHERS = 10_000;

  /** The one that a parameter names, stored as it is by default. */
  static DocumentStore open(String name) throws SQLException {
    return Names.speaksMongo(name)
        ? new MongoDocuments(Target.current())
        : DocumentContender.open(name, Storage.defaults());
  }

  /** Where it stores; null if that is not PostgreSQL, whose costs alone are counted. */
  @Nullable Database database();

  /** Opens a session, for one thread. */
  StoreSession session() throws SQLException;

  /** Opens a session that only prepares what others measure. */
  StoreSession loader() throws SQLException;

  /** Adds other documents, with numbers below 0. */
  void addOthers() throws SQLException;

  /** Has the disk get all that was written, and the server do what it would put off. */
  void settle() throws SQLException;

  /** The number of documents, without the others. */
  long count() throws SQLException;

  @Override
  void close() throws SQLException;
}
