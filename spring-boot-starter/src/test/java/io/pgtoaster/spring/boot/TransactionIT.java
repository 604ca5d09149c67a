package io.pgtoaster.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.blob.BlobOptions;
import io.pgtoaster.blob.BlobReader;
import io.pgtoaster.spring.kit.TestDatabase;
import jakarta.persistence.EntityManager;
import java.util.List;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcClientAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.hibernate.LocalSessionFactoryBuilder;
import org.springframework.orm.jpa.hibernate.SessionHolder;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Calls join Spring's transaction, for JDBC and JPA. */
class TransactionIT {
  private static final String PID = "SELECT pg_backend_pid()";

  private final TestDatabase database = TestDatabase.empty();
  private final ApplicationContextRunner jdbc =
      new ApplicationContextRunner()
          .withPropertyValues(database.properties())
          .withConfiguration(
              AutoConfigurations.of(
                  DataSourceAutoConfiguration.class,
                  DataSourceTransactionManagerAutoConfiguration.class,
                  TransactionAutoConfiguration.class,
                  JdbcTemplateAutoConfiguration.class,
                  JdbcClientAutoConfiguration.class,
                  PgToasterAutoConfiguration.class));
  private final ApplicationContextRunner jpa =
      jdbc.withConfiguration(AutoConfigurations.of(HibernateJpaAutoConfiguration.class))
          .withUserConfiguration(Entities.class);

  @AutoConfigurationPackage
  static class Entities {}

  private void run(ApplicationContextRunner runner, Consumer<Used> test) {
    runner.run(
        context -> {
          assertThat(context).hasNotFailed();
          Used used = new Used(context);
          used.prepare();
          test.accept(used);
        });
  }

  /** The beans that an application would inject. */
  private record Used(ApplicationContext context) {
    void prepare() {
      jdbc().sql("CREATE TABLE IF NOT EXISTS note (id int PRIMARY KEY, text bigint)").update();
      jdbc().sql("INSERT INTO note VALUES (1) ON CONFLICT DO NOTHING").update();
      if (toaster().catalog().status().isEmpty()) {
        toaster().catalog().attach("note", "text", BlobOptions.defaults());
      }
    }

    PgToaster toaster() {
      return context.getBean(PgToaster.class);
    }

    BlobColumn notes() {
      return toaster().blobs("note", "text");
    }

    JdbcClient jdbc() {
      return context.getBean(JdbcClient.class);
    }

    DataSource pool() {
      return context.getBean(DataSource.class);
    }

    PlatformTransactionManager manager() {
      return context.getBean(PlatformTransactionManager.class);
    }

    TransactionTemplate transaction() {
      return new TransactionTemplate(manager());
    }

    /** Returns the transaction that wrote the current version of the head. */
    String writer() {
      return jdbc()
          .sql("SELECT xmin::text FROM pgtoaster.store_1_head")
          .query(String.class)
          .single();
    }

    String currentTransaction() {
      return jdbc().sql("SELECT pg_current_xact_id()::xid::text").query(String.class).single();
    }
  }

  private static void joins(Used used) {
    used.transaction()
        .executeWithoutResult(
            status -> {
              used.notes().append(1, new byte[10]);
              // This transaction wrote the head.
              assertThat(used.writer()).isEqualTo(used.currentTransaction());
              assertThat(used.notes().length(1)).isEqualTo(10);
              status.setRollbackOnly();
            });
    assertThat(used.notes().length(1)).isZero();
    assertThatThrownBy(
            () ->
                used.transaction()
                    .executeWithoutResult(
                        status -> {
                          used.notes().append(1, new byte[10]);
                          throw new IllegalStateException("after the append");
                        }))
        .hasMessage("after the append");
    assertThat(used.notes().length(1)).isZero();
    used.transaction().executeWithoutResult(status -> used.notes().append(1, new byte[3]));
    assertThat(used.notes().length(1)).isEqualTo(3);
  }

  @Test
  void jdbcTransaction_isJoined() {
    run(
        jdbc,
        used -> {
          assertThat(used.manager()).isInstanceOf(JdbcTransactionManager.class);
          joins(used);
        });
  }

  @Test
  void jpaTransaction_isJoined() {
    run(
        jpa,
        used -> {
          assertThat(used.manager()).isInstanceOf(JpaTransactionManager.class);
          joins(used);
          EntityManager entities = used.context().getBean(EntityManager.class);
          used.transaction()
              .executeWithoutResult(
                  status -> {
                    Object pid = entities.createNativeQuery(PID, Integer.class).getSingleResult();
                    Integer same = used.jdbc().sql(PID).query(Integer.class).single();
                    used.notes().append(1, new byte[1]);
                    assertThat(pid).isEqualTo(same);
                    assertThat(used.writer()).isEqualTo(used.currentTransaction());
                  });
        });
  }

  @Test
  void lazyProxyOfTheDataSource_isUnwrapped() {
    run(
        jdbc.withBean(
            "lazy",
            LazyConnectionDataSourceProxy.class,
            () -> new LazyConnectionDataSourceProxy(database.dataSource())),
        TransactionIT::joins);
  }

  @Test
  void callsOutsideATransaction_eachUseTheirOwn() {
    run(
        jdbc,
        used -> {
          used.notes().append(1, new byte[5]);
          String first = used.writer();
          used.notes().append(1, new byte[5]);
          assertThat(used.writer()).isNotEqualTo(first);
          assertThat(used.notes().length(1)).isEqualTo(10);
        });
  }

  /** A suspended scope without a transaction releases its connection. */
  @Test
  void callAfterASuspendedScope_findsAConnection() {
    run(
        jdbc.withPropertyValues("spring.datasource.hikari.maximum-pool-size=1"),
        used -> {
          TransactionTemplate scope = used.transaction();
          scope.setPropagationBehavior(TransactionDefinition.PROPAGATION_SUPPORTS);
          TransactionTemplate another = used.transaction();
          another.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
          scope.executeWithoutResult(
              status -> {
                used.jdbc().sql(PID).query(Integer.class).single();
                another.executeWithoutResult(inner -> used.notes().append(1, new byte[2]));
                assertThat(used.notes().length(1)).isEqualTo(2);
                used.notes().append(1, new byte[1]);
              });
          assertThat(used.notes().length(1)).isEqualTo(3);
        });
  }

  private ApplicationContextRunner poolOfOne() {
    return jdbc.withPropertyValues(
        "spring.datasource.hikari.maximum-pool-size=1",
        "spring.datasource.hikari.connection-timeout=3000");
  }

  @Test
  void transactionOfAProxyOfTheDataSource_isJoined() {
    run(
        poolOfOne(),
        used -> {
          LazyConnectionDataSourceProxy proxy = new LazyConnectionDataSourceProxy(used.pool());
          new TransactionTemplate(new JdbcTransactionManager(proxy))
              .executeWithoutResult(
                  status -> {
                    JdbcClient.create(proxy).sql(PID).query(Integer.class).single();
                    used.notes().append(1, new byte[4]);
                    status.setRollbackOnly();
                  });
          assertThat(used.notes().length(1)).isZero();
        });
  }

  /** The session is bound to Hibernate's factory, not to Spring's EntityManagerFactory bean. */
  @Test
  void sessionBoundToTheThread_sharesItsConnection() {
    run(
        poolOfOne(),
        used -> {
          try (SessionFactory factory =
              new LocalSessionFactoryBuilder(used.pool()).buildSessionFactory()) {
            for (boolean held : new boolean[] {true, false}) {
              long before = used.notes().length(1);
              Session session = factory.openSession();
              TransactionSynchronizationManager.bindResource(
                  factory, held ? new SessionHolder(session) : session);
              session.createNativeQuery(PID, Integer.class).getSingleResult();
              used.notes().append(1, new byte[4]);
              session.beginTransaction();
              session.createNativeQuery(PID, Integer.class).getSingleResult();
              used.notes().append(1, new byte[8]);
              session.getTransaction().rollback();
              assertThat(used.notes().length(1)).isEqualTo(before + 4);
              TransactionSynchronizationManager.unbindResource(factory);
              session.close();
            }
          }
        });
  }

  @Test
  void suspendedTransaction_isNotUsed() {
    run(
        jdbc,
        used -> {
          TransactionTemplate another = used.transaction();
          another.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
          TransactionTemplate outside = used.transaction();
          outside.setPropagationBehavior(TransactionDefinition.PROPAGATION_NOT_SUPPORTED);
          TransactionTemplate nested = used.transaction();
          nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
          used.transaction()
              .executeWithoutResult(
                  status -> {
                    assertThat(used.notes().length(1)).isZero();
                    another.executeWithoutResult(inner -> used.notes().append(1, new byte[1]));
                    outside.executeWithoutResult(inner -> used.notes().append(1, new byte[2]));
                    nested.executeWithoutResult(
                        inner -> {
                          used.notes().append(1, new byte[4]);
                          inner.setRollbackOnly();
                        });
                    nested.executeWithoutResult(inner -> used.notes().append(1, new byte[8]));
                    assertThat(used.notes().length(1)).isEqualTo(11);
                    status.setRollbackOnly();
                  });
          assertThat(used.notes().length(1)).isEqualTo(3);
        });
  }

  @Test
  void readOnlyTransaction_canReadButNotWrite() {
    for (ApplicationContextRunner runner : List.of(jdbc, jpa)) {
      run(
          runner,
          used -> {
            TransactionTemplate readOnly = used.transaction();
            readOnly.setReadOnly(true);
            readOnly.executeWithoutResult(status -> assertThat(used.notes().length(1)).isZero());
            assertThatThrownBy(
                    () ->
                        readOnly.executeWithoutResult(
                            status -> used.notes().append(1, new byte[1])))
                .hasMessageContaining("read-only transaction");
            assertThat(used.notes().length(1)).isZero();
          });
    }
  }

  @Test
  void readerOfAnEndedTransaction_fails_andUsesNoConnection() {
    run(
        jdbc.withPropertyValues("spring.datasource.hikari.maximum-pool-size=1"),
        used -> {
          used.notes().append(1, new byte[9]);
          BlobReader[] kept = new BlobReader[1];
          used.transaction().executeWithoutResult(status -> kept[0] = used.notes().open(1));
          assertThatThrownBy(() -> kept[0].read(0, new byte[1], 0, 1))
              .hasMessageContaining("losed");
          kept[0].close();
          assertThat(used.notes().length(1)).isEqualTo(9);
        });
  }

  @Test
  void streamOpenedInATransaction_usesItsConnection() {
    run(
        jdbc,
        used -> {
          used.transaction()
              .executeWithoutResult(
                  status -> {
                    try (var out = used.notes().appendStream(1)) {
                      out.write(new byte[100_000]);
                    } catch (java.io.IOException e) {
                      throw new IllegalStateException(e);
                    }
                    status.setRollbackOnly();
                  });
          assertThat(used.notes().length(1)).isZero();
          assertThat(List.of(used.notes().info(1))).hasSize(1);
        });
  }
}
