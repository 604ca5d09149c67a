package io.pgtoaster.spring.tus;

import static org.assertj.core.api.Assertions.assertThat;

import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.jta.JtaTransactionManager;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.ResourceTransactionManager;

/** Uploads are registered and completed in transactions of their own database. */
class TransactionManagersTest {
  private final DataSource source = new PGSimpleDataSource();
  private final DataSource other = new PGSimpleDataSource();

  private static PlatformTransactionManager jpa(DataSource source) {
    JpaTransactionManager manager = new JpaTransactionManager();
    manager.setDataSource(source);
    return manager;
  }

  @Test
  void managerOfTheDataSource_isUsed() {
    for (PlatformTransactionManager manager :
        new PlatformTransactionManager[] {
          new JdbcTransactionManager(source), jpa(source), new JtaTransactionManager()
        }) {
      assertThat(TransactionManagers.of(source, manager)).isSameAs(manager);
    }
  }

  @Test
  void managerBehindAJoiningProxy_isUsed() {
    PlatformTransactionManager manager = new JdbcTransactionManager(source);
    assertThat(TransactionManagers.of(new TransactionAwareDataSourceProxy(source), manager))
        .isSameAs(manager);
  }

  @Test
  void withoutAJoiningManager_aNewOneIsCreated() {
    for (PlatformTransactionManager manager :
        new PlatformTransactionManager[] {
          null,
          new JdbcTransactionManager(other),
          new JdbcTransactionManager(new DelegatingDataSource(source)),
          jpa(other),
          new JpaTransactionManager(),
          new OfMessages()
        }) {
      assertThat(TransactionManagers.of(source, manager))
          .isInstanceOfSatisfying(
              JdbcTransactionManager.class,
              made -> assertThat(made.getDataSource()).isSameAs(source));
    }
  }

  private static final class OfMessages extends AbstractPlatformTransactionManager
      implements ResourceTransactionManager {
    private static final long serialVersionUID = 1;

    @Override
    public Object getResourceFactory() {
      return "a broker";
    }

    @Override
    protected Object doGetTransaction() {
      return "a session";
    }

    @Override
    protected void doBegin(Object transaction, TransactionDefinition definition) {}

    @Override
    protected void doCommit(DefaultTransactionStatus status) {}

    @Override
    protected void doRollback(DefaultTransactionStatus status) {}
  }
}
