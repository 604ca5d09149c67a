package io.pgtoaster.internal;

import io.pgtoaster.internal.sql.SqlFunction;
import java.sql.Connection;
import java.util.Optional;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Runs each call in the transaction of its thread. Without one, the call takes a connection from
 * the data source and runs in a separate transaction. Thread-safe if data source and supplier are.
 */
public final class JoiningConnections implements Connections {
  private final OwnConnections own;
  private final Supplier<? extends @Nullable Connection> current;

  /**
   * Creates connections.
   *
   * @param dataSource provides PostgreSQL connections, preferably from a pool
   * @param current returns the connection of the thread's transaction, or null if there is none
   */
  public JoiningConnections(
      DataSource dataSource, Supplier<? extends @Nullable Connection> current) {
    this(new OwnConnections(dataSource), current);
  }

  private JoiningConnections(OwnConnections own, Supplier<? extends @Nullable Connection> current) {
    this.own = own;
    this.current = current;
  }

  @Override
  public Connections current() {
    Connection connection = current.get();
    return connection == null ? own : new CallersConnection(connection);
  }

  @Override
  public <T extends @Nullable Object> T write(
      Attempts attempts, @Nullable SqlFunction<Optional<T>> one, SqlFunction<T> work) {
    return current().write(attempts, one, work);
  }

  @Override
  public <T extends @Nullable Object> T read(SqlFunction<T> work) {
    return current().read(work);
  }

  @Override
  public Lease connect() {
    return current().connect();
  }

  @Override
  public Lease lease() {
    return current().lease();
  }

  @Override
  public boolean connectionPerCall() {
    return current().connectionPerCall();
  }

  @Override
  public boolean anyThread() {
    return current().anyThread();
  }

  @Override
  public Connections inCallersThread() {
    return new JoiningConnections(own.inCallersThread(), current);
  }
}
