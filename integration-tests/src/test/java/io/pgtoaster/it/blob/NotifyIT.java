package io.pgtoaster.it.blob;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.blob.FollowOptions;
import io.pgtoaster.it.kit.Bytes;
import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.Fixture;
import io.pgtoaster.it.kit.PostgresServers;
import io.pgtoaster.it.kit.Setting;
import io.pgtoaster.it.kit.Wait;
import java.io.InputStream;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/** Stores with the option notify, in which appends wake followers and nobody else. */
class NotifyIT {
  /** This is so long that polling cannot deliver the bytes. */
  private static final Duration NEVER = Duration.ofMinutes(10);

  @AutoClose private Fixture fx;

  @BeforeEach
  void open() {
    fx =
        new Fixture(
            new Setting(PostgresServers.newest(), true),
            ColumnSpec.appendable("{\"notify\": true}"));
  }

  @Test
  void append_wakesAFollowerThatRarelyPolls() throws Exception {
    Object key = fx.row(Bytes.random(1, 10));
    try (InputStream in = fx.own().follow(key, FollowOptions.defaults().withPoll(NEVER, NEVER))) {
      assertThat(in.readNBytes(10)).isEqualTo(Bytes.random(1, 10));
      var next = Wait.start(() -> in.readNBytes(20));
      awaitListener();
      fx.own().append(key, Bytes.random(2, 20));
      assertThat(Wait.get(next)).isEqualTo(Bytes.random(2, 20));
      var end = Wait.start(in::read);
      awaitInterval();
      fx.own().seal(key);
      assertThat(Wait.get(end)).isEqualTo(-1);
    }
  }

  @Test
  void append_withoutAFollower_notifiesNobody() throws Exception {
    Object key = fx.row(Bytes.random(1, 10));
    assertThat(notificationsWhile(() -> fx.own().append(key, Bytes.random(2, 20)))).isEmpty();
  }

  /**
   * Uses the server's times, which the store records, so the duration of the appends does not
   * matter.
   */
  @Test
  void manyAppends_notifyAtMostTenTimesASecond() throws Exception {
    Object key = fx.row(Bytes.random(1, 10));
    fx.run(
        "INSERT INTO pgtoaster.store_1_follower (blob_id, expires)"
            + " SELECT id, now() + interval '1 hour' FROM pgtoaster.store_1_head");
    // The time of each notification, in microseconds.
    SortedSet<Long> times = new TreeSet<>();
    PGNotification[] received =
        notificationsWhile(
            () ->
                Wait.until(
                    "three notifications",
                    () -> {
                      fx.own().append(key, Bytes.random(times.size(), 20));
                      times.add(
                          fx.number(
                              "SELECT CAST(extract(epoch FROM notified_at) * 1000000 AS bigint)"
                                  + " FROM pgtoaster.store_1_follower"));
                      return times.size() == 3;
                    }));
    assertThat(received).hasSize(3);
    assertThat(received[0].getParameter()).isEqualTo(Long.toString(fx.handle(key)));
    long before = 0;
    for (long time : times) {
      assertThat(time - before).isGreaterThan(100_000);
      before = time;
    }
  }

  private void awaitListener() {
    Wait.until(
        "somebody listens",
        () ->
            fx.number(
                    "SELECT count(*) FROM pg_stat_activity WHERE query = 'LISTEN pgtoaster'"
                        + " AND state = 'idle' AND datname = current_database()")
                > 0);
  }

  /**
   * Waits until a notification may be sent, because the store skips one that follows another too
   * soon.
   */
  private void awaitInterval() {
    Wait.until(
        "the next notification may be sent",
        () ->
            fx.number(
                    "SELECT count(*) FROM pgtoaster.store_1_follower"
                        + " WHERE notified_at < clock_timestamp() - interval '100 ms'")
                > 0);
  }

  private PGNotification[] notificationsWhile(Runnable work) throws Exception {
    try (Connection connection = fx.database().connect();
        Statement s = connection.createStatement()) {
      s.execute("LISTEN pgtoaster");
      work.run();
      // Any statement also fetches the notifications that were sent before it.
      s.execute("SELECT 1");
      PGNotification[] received = connection.unwrap(PGConnection.class).getNotifications();
      return received == null ? new PGNotification[0] : received;
    }
  }
}
