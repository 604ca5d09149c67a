package io.pgtoaster.spring.tus;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.spring.kit.TestDatabase;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** The statements of a PATCH request. */
class TusStatementsIT {
  private static final List<String> STATEMENTS = new CopyOnWriteArrayList<>();
  private static final int PART = 1000;
  private static final int PARTS = 5;

  private static TestDatabase database;
  private static JdbcClient jdbc;
  @AutoClose private static ConfigurableApplicationContext application;
  private static TusClient client;

  @EnableAutoConfiguration
  static class Application {
    @Bean
    static BeanPostProcessor counting() {
      return new BeanPostProcessor() {
        @Override
        public Object postProcessAfterInitialization(Object bean, String name) {
          return bean instanceof DataSource source ? new Counting(source) : bean;
        }
      };
    }
  }

  /** Records each executed statement. */
  private static final class Counting extends DelegatingDataSource {
    Counting(DataSource target) {
      super(target);
    }

    @Override
    public Connection getConnection() throws SQLException {
      Connection connection = super.getConnection();
      return proxy(
          Connection.class,
          connection,
          (method, arguments, result) ->
              result instanceof PreparedStatement statement
                  ? proxy(
                      PreparedStatement.class,
                      statement,
                      (called, unused, returned) -> {
                        if (called.getName().startsWith("execute")) {
                          STATEMENTS.add((String) arguments[0]);
                        }
                        return returned;
                      })
                  : result);
    }
  }

  private interface After {
    Object call(Method method, Object[] arguments, Object result);
  }

  private static <T> T proxy(Class<T> type, T target, After after) {
    InvocationHandler handler =
        (proxy, method, arguments) -> {
          try {
            return after.call(method, arguments, method.invoke(target, arguments));
          } catch (InvocationTargetException e) {
            throw e.getCause();
          }
        };
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  @BeforeAll
  static void start() throws Exception {
    database = TestDatabase.withFiles();
    jdbc = JdbcClient.create(database.dataSource());
    application =
        TusApplication.run(
            Application.class,
            database.properties("pgtoaster.tus.table=file", "pgtoaster.tus.column=content"));
    client = new TusClient(TusApplication.port(application));
    URI first = client.create(1);
    client.patch(first, 0, new byte[1]); // looks up the column
  }

  /** Returns the number of the next transaction that writes. */
  private static long transactions() {
    return Long.parseLong(database.value("SELECT pg_snapshot_xmax(pg_current_snapshot())::text"));
  }

  private static void patches(URI url, String... headers) throws Exception {
    long fewest = Long.MAX_VALUE;
    for (int i = 0; i < PARTS; i++) {
      jdbc.sql("UPDATE pgtoaster_upload SET expires_at = now() + interval '5 days'").update();
      STATEMENTS.clear();
      long before = transactions();
      assertThat(client.patch(url, (long) i * PART, new byte[PART], headers).statusCode())
          .isEqualTo(204);
      fewest = Math.min(fewest, transactions() - before); // autovacuum also uses some
      assertThat(STATEMENTS).hasSize(4);
      assertThat(extended(url)).isTrue();
    }
    assertThat(fewest).isEqualTo(2);
  }

  @Test
  void patch_takesFourStatementsAndTwoCommits() throws Exception {
    URI url = client.create(PARTS * PART);
    patches(url);
    assertThat(finished(url)).isTrue();
  }

  @Test
  void patchWithChecksum_takesNoMoreStatements() throws Exception {
    URI url = client.create(PARTS * PART);
    patches(url, "Upload-Checksum", "sha1 xXf3o3ZXBTJ18+PswG7CLmuQk2Y=");
    assertThat(finished(url)).isTrue();
  }

  private static boolean finished(URI url) {
    return is("finished_at IS NOT NULL", url);
  }

  private static boolean extended(URI url) {
    return is("expires_at > now() + interval '6 days'", url);
  }

  private static boolean is(String condition, URI url) {
    return jdbc.sql("SELECT " + condition + " FROM pgtoaster_upload WHERE id = CAST(? AS uuid)")
        .param(url.getPath().substring("/tus/".length()))
        .query(Boolean.class)
        .single();
  }
}
