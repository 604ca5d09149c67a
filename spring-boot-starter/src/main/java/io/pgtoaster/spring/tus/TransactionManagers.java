package io.pgtoaster.spring.tus;

import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.ResourceTransactionManager;
import org.springframework.util.ClassUtils;

/** Finds the transaction manager of a data source. */
final class TransactionManagers {
  private static final boolean JPA =
      ClassUtils.isPresent(
          "org.springframework.orm.jpa.JpaTransactionManager",
          TransactionManagers.class.getClassLoader());

  private TransactionManagers() {}

  /**
   * Returns the application's transaction manager, unless it manages another resource: calls on the
   * data source would then not take part in its transactions.
   */
  static PlatformTransactionManager of(
      DataSource source, @Nullable PlatformTransactionManager only) {
    boolean other =
        only instanceof ResourceTransactionManager one && !joined(source).equals(resource(one));
    return only == null || other ? new JdbcTransactionManager(source) : only;
  }

  private static @Nullable Object resource(ResourceTransactionManager manager) {
    return JPA ? Jpa.resource(manager) : manager.getResourceFactory();
  }

  /**
   * Returns the data source that is wrapped by the proxy that joins transactions; transaction
   * managers do not accept that proxy.
   */
  private static DataSource joined(DataSource source) {
    @Nullable DataSource target =
        source instanceof TransactionAwareDataSourceProxy proxy
            ? proxy.getTargetDataSource()
            : null;
    return target == null ? source : joined(target);
  }

  /** Loaded only if JPA is on the class path. */
  private static final class Jpa {
    static @Nullable Object resource(ResourceTransactionManager manager) {
      return manager instanceof JpaTransactionManager jpa
          ? jpa.getDataSource()
          : manager.getResourceFactory();
    }
  }
}
