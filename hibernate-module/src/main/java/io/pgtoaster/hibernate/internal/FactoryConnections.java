package io.pgtoaster.hibernate.internal;

import java.io.PrintWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.hibernate.engine.jdbc.connections.spi.ConnectionProvider;
import org.hibernate.engine.jdbc.connections.spi.MultiTenantConnectionProvider;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.jspecify.annotations.Nullable;

/**
 * Provides connections for a factory and a tenant in the way its sessions get them, but independent
 * of any session.
 *
 * <p>Thread-safe.
 */
final class FactoryConnections implements DataSource {
  private final SessionFactoryImplementor factory;
  private final @Nullable Object tenant;

  FactoryConnections(SharedSessionContractImplementor session) {
    this(session.getFactory(), session.getTenantIdentifierValue());
  }

  FactoryConnections(SessionFactoryImplementor factory, @Nullable Object tenant) {
    this.factory = factory;
    this.tenant = tenant;
  }

  @Override
  public Connection getConnection() throws SQLException {
    @Nullable String schema = schema();
    Connection connection = obtain();
    @Nullable String before = schema == null ? null : enter(connection, schema);
    // Some providers' connections do not return to their provider on close.
    return (Connection)
        Proxy.newProxyInstance(
            FactoryConnections.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("close")) {
                try {
                  if (before != null && !connection.isClosed()) {
                    connection.setSchema(before);
                  }
                } finally {
                  release(connection);
                }
                return null;
              }
              try {
                return method.invoke(connection, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  /** Sets the schema and returns the previous one. Releases the connection on failure. */
  private @Nullable String enter(Connection connection, String schema) throws SQLException {
    boolean entered = false;
    try {
      String before = connection.getSchema();
      connection.setSchema(schema);
      entered = true;
      return before;
    } finally {
      if (!entered) {
        release(connection);
      }
    }
  }

  private Connection obtain() throws SQLException {
    return multiTenant() ? tenants().getConnection(tenant) : plain().getConnection();
  }

  private void release(Connection connection) throws SQLException {
    if (multiTenant()) {
      tenants().releaseConnection(tenant, connection);
    } else {
      plain().closeConnection(connection);
    }
  }

  private boolean multiTenant() {
    return factory.getSessionFactoryOptions().isMultiTenancyEnabled();
  }

  private ConnectionProvider plain() {
    return factory.getServiceRegistry().requireService(ConnectionProvider.class);
  }

  @SuppressWarnings("unchecked")
  private MultiTenantConnectionProvider<@Nullable Object> tenants() {
    return factory.getServiceRegistry().requireService(MultiTenantConnectionProvider.class);
  }

  private @Nullable String schema() {
    var mapper = factory.getSessionFactoryOptions().getTenantSchemaMapper();
    return mapper == null || tenant == null ? null : mapper.schemaName(tenant);
  }

  @Override
  public Connection getConnection(String user, String password) throws SQLException {
    throw new SQLFeatureNotSupportedException("the session factory determines user and password");
  }

  @Override
  public PrintWriter getLogWriter() throws SQLException {
    throw new SQLFeatureNotSupportedException();
  }

  @Override
  public void setLogWriter(PrintWriter out) throws SQLException {
    throw new SQLFeatureNotSupportedException();
  }

  @Override
  public void setLoginTimeout(int seconds) throws SQLException {
    throw new SQLFeatureNotSupportedException();
  }

  @Override
  public int getLoginTimeout() {
    return 0;
  }

  @Override
  public Logger getParentLogger() throws SQLFeatureNotSupportedException {
    throw new SQLFeatureNotSupportedException();
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    throw new SQLException("not a wrapper for " + type.getName());
  }

  @Override
  public boolean isWrapperFor(Class<?> type) {
    return false;
  }
}
