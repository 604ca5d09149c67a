package io.pgtoaster.it.hibernate.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.it.hibernate.kit.Cost;
import io.pgtoaster.it.hibernate.kit.Meter;
import io.pgtoaster.it.hibernate.kit.Orm;
import io.pgtoaster.it.kit.Setting;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.ObjIntConsumer;
import org.hibernate.Session;

/** Measures one contender in a separate database. */
final class Trial implements AutoCloseable {
  private static final int ROUNDS = 3;
  private static final int FLUSHES = 10;

  /** Whether to measure all mappings, including times. */
  static final boolean ALL = System.getProperty("pgtoaster.test.mappings", "").equals("all");

  static final int MANY = ALL ? 100 : 25;

  /** Warm-up compiles the measured code. Sizes and counts do not need it. */
  private static final long WARM_UP_NANOS = ALL ? 500_000_000 : 0;

  private final Contender contender;
  private final Orm orm;
  private final Meter meter;
  private int round;

  Trial(Setting setting, Contender contender, Invoice invoice) throws Exception {
    this.contender = contender;
    this.orm = Orm.on(setting).entities(contender.entity()).build();
    this.meter = new Meter(orm);
    orm.inTransaction(s -> s.persist(contender.fresh().apply(1L, invoice)));
    orm.database().run("VACUUM ANALYZE", "CHECKPOINT");
  }

  Result run() throws Exception {
    Cost small = transactions(false, (entity, n) -> entity.changeStatus(status(n)));
    assertThat(read()).contains(status(round));
    Cost deep = transactions(false, (entity, n) -> entity.changeQuantity(100_000 + n));
    assertThat(read()).contains(Integer.toString(100_000 + round));
    Cost untouched = transactions(false, (entity, n) -> {});
    Cost readOnly = transactions(true, (entity, n) -> {});
    return new Result(contender, small, deep, untouched, readOnly, flushes(), many());
  }

  /** Returns a different text each time, without common parts. */
  private static String status(int number) {
    return Long.toHexString(new SplittableRandom(number).nextLong());
  }

  private String read() throws Exception {
    return orm.fromTransaction(s -> s.find(contender.entity(), 1L).read());
  }

  private Cost transactions(boolean readOnly, ObjIntConsumer<Mapped> change) throws Exception {
    return median(
        ROUNDS,
        () ->
            orm.inTransaction(
                session -> {
                  session.setDefaultReadOnly(readOnly);
                  Mapped entity = session.find(contender.entity(), 1L);
                  entity.read();
                  change.accept(entity, round);
                }));
  }

  private Cost flushes() throws Exception {
    return orm.fromTransaction(
        session -> {
          session.find(contender.entity(), 1L).read();
          return median(FLUSHES, session::flush);
        });
  }

  private Cost many() throws Exception {
    orm.inTransaction(
        session -> {
          session.remove(session.find(contender.entity(), 1L));
          for (int i = 0; i < MANY; i++) {
            session.persist(contender.fresh().apply(10L + i, Invoice.of(i, 150)));
          }
        });
    return median(ROUNDS, () -> assertThat(orm.fromTransaction(this::bigMembers)).isEqualTo(MANY));
  }

  private long bigMembers(Session session) {
    return session
        .createSelectionQuery("from " + contender.entity().getSimpleName(), contender.entity())
        .getResultStream()
        .toList()
        .stream()
        .filter(entity -> entity.readBig().length() >= 6000)
        .count();
  }

  /**
   * First runs one uncounted round; if times count, as many rounds as are counted, for at least
   * half a second.
   */
  private Cost median(int rounds, Meter.Work work) throws Exception {
    long warm = System.nanoTime() + WARM_UP_NANOS;
    for (int i = 0; i < (ALL ? rounds : 1) || System.nanoTime() < warm; i++) {
      measure(work);
    }
    List<Cost> costs = new ArrayList<>();
    for (int i = 0; i < rounds; i++) {
      costs.add(measure(work));
    }
    return Cost.median(costs);
  }

  private Cost measure(Meter.Work work) throws Exception {
    round++;
    return meter.of(work);
  }

  @Override
  public void close() throws SQLException {
    orm.close();
  }
}
