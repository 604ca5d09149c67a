package io.pgtoaster.it.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.it.hibernate.kit.Cost;
import io.pgtoaster.it.hibernate.kit.Meter;
import io.pgtoaster.it.hibernate.kit.Orm;
import io.pgtoaster.it.kit.Recorder.Statement;
import io.pgtoaster.it.kit.Setting;
import jakarta.persistence.Cacheable;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import org.hibernate.annotations.CacheConcurrencyStrategy;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The test kit records what a session sends and measures its cost. */
class KitIT {
  @Entity(name = "Note")
  @Cacheable
  @org.hibernate.annotations.Cache(usage = CacheConcurrencyStrategy.READ_WRITE)
  static class Note {
    @Id long id;
    String text;

    Note() {}

    Note(long id, String text) {
      this.id = id;
      this.text = text;
    }
  }

  @ParameterizedTest
  @MethodSource("io.pgtoaster.it.kit.Setting#newest")
  void batch_countsEachExecutionAndAllItsBytes(Setting setting) throws Exception {
    try (Orm orm = Orm.on(setting).entities(Note.class).batches(20).build()) {
      orm.inTransaction(
          session -> {
            for (int i = 0; i < 3; i++) {
              session.persist(new Note(i, "für"));
            }
          });
      Statement insert = orm.statements().get(0);
      assertThat(insert.executions()).isEqualTo(3);
      assertThat(insert.parameterBytes()).isEqualTo(3 * (8 + 4));
      assertThat(insert.sentBytes()).isEqualTo(insert.sql().length() + 36);
    }
  }

  @ParameterizedTest
  @MethodSource("io.pgtoaster.it.kit.Setting#newest")
  void failedWork_leavesNothing(Setting setting) throws Exception {
    try (Orm orm = Orm.on(setting).entities(Note.class).build()) {
      assertThatThrownBy(
              () ->
                  orm.inTransaction(
                      session -> {
                        session.persist(new Note(1, "lost"));
                        session.flush();
                        throw new IllegalStateException("on purpose");
                      }))
          .hasMessage("on purpose");
      assertThat(orm.database().number("SELECT count(*) FROM Note")).isZero();
    }
  }

  @ParameterizedTest
  @MethodSource("io.pgtoaster.it.kit.Setting#newest")
  void cachedEntity_isFoundWithoutAStatement(Setting setting) throws Exception {
    try (Orm orm = Orm.on(setting).entities(Note.class).cache().build()) {
      orm.inTransaction(session -> session.persist(new Note(1, "kept")));
      orm.statements();
      assertThat(orm.fromTransaction(s -> s.find(Note.class, 1L)).text).isEqualTo("kept");
      assertThat(orm.sql()).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("io.pgtoaster.it.kit.Setting#newest")
  void isolation_appliesToAllTransactions(Setting setting) throws Exception {
    try (Orm orm = Orm.on(setting).entities(Note.class).isolation("serializable").build()) {
      String level =
          orm.fromStateless(
              s ->
                  s.createNativeQuery("SHOW transaction_isolation", String.class)
                      .getSingleResult());
      assertThat(level).isEqualTo("serializable");
    }
  }

  @ParameterizedTest
  @MethodSource("io.pgtoaster.it.kit.Setting#newest")
  void cost_includesOnlyTheWork(Setting setting) throws Exception {
    try (Orm orm = Orm.on(setting).entities(Note.class).build()) {
      Meter meter = new Meter(orm);
      Cost nothing = meter.of(() -> {});
      Cost one = meter.of(() -> orm.inTransaction(s -> s.persist(new Note(1, "x"))));
      assertThat(nothing.statements()).isZero();
      assertThat(nothing.sentBytes()).isZero();
      assertThat(one.statements()).isEqualTo(1);
      assertThat(one.walBytes()).isBetween(100L, 10_000L);
      assertThat(one.cpuNanos()).isGreaterThan(nothing.cpuNanos());
      assertThat(one.allocatedBytes()).isGreaterThan(nothing.allocatedBytes() + 1000);
    }
  }
}
