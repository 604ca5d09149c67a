package io.pgtoaster.spring.actuate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.pgtoaster.DetachOptions;
import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.AppendOptions;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.column.AppendToken;
import io.pgtoaster.column.ColumnName;
import io.pgtoaster.error.RowNotFoundException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class MetricsIT {
  private final Application application = new Application();

  @Test
  void calls_areTimedByOperationColumnAndOutcome() {
    application.runner.run(
        context -> {
          MeterRegistry meters = context.getBean(MeterRegistry.class);
          BlobColumn notes = context.getBean(PgToaster.class).blobs("note", "text");
          AppendOptions once =
              AppendOptions.defaults().withToken(new AppendToken(AppendToken.newWriter(), 1));
          notes.append(1, new byte[300], once);
          notes.append(1, new byte[300], once);
          notes.read(1, 0, 100);
          assertThatThrownBy(() -> notes.append(99, new byte[1]))
              .isInstanceOf(RowNotFoundException.class);
          assertThat(calls(meters, "blob.append", "applied")).isEqualTo(1);
          assertThat(calls(meters, "blob.append", "repeated")).isEqualTo(1);
          assertThat(calls(meters, "blob.append", "failed")).isEqualTo(1);
          assertThat(bytes(meters, "blob.append")).isEqualTo(300);
          assertThat(bytes(meters, "blob.read")).isEqualTo(100);
          assertThat(meters.get("pgtoaster.retries.recognised").counter().count()).isEqualTo(1);
        });
  }

  private static long calls(MeterRegistry meters, String operation, String outcome) {
    return meters
        .get("pgtoaster.call")
        .tags("operation", operation, "column", "public.note.text", "outcome", outcome)
        .timer()
        .count();
  }

  private static double bytes(MeterRegistry meters, String operation) {
    return meters
        .get("pgtoaster.bytes")
        .tags("operation", operation, "column", "public.note.text")
        .counter()
        .count();
  }

  @Test
  void calls_areObserved_ifTheApplicationUsesObservations() {
    List<String> seen = new ArrayList<>();
    ObservationRegistry observations = ObservationRegistry.create();
    observations
        .observationConfig()
        .observationHandler(
            new ObservationHandler<Observation.Context>() {
              @Override
              public void onStop(Observation.Context context) {
                seen.add(context.getContextualName() + " " + context.getError());
              }

              @Override
              public boolean supportsContext(Observation.Context context) {
                return true;
              }
            });
    application
        .runner
        .withBean(ObservationRegistry.class, () -> observations)
        .run(
            context -> {
              context.getBean(PgToaster.class).blobs("note", "text").append(1, new byte[3]);
              assertThat(seen).containsExactly("pgtoaster blob.append null");
              assertThat(observations.getCurrentObservation()).isNull();
            });
  }

  @Test
  void stores_areMeasuredOncePerInterval() {
    application.direct.blobs("note", "text").append(1, new byte[20_000]);
    application.runner.run(
        context -> {
          MeterRegistry meters = context.getBean(MeterRegistry.class);
          await()
              .atMost(Duration.ofMinutes(2))
              .until(() -> meters.get("pgtoaster.stores").gauge().value() == 2);
          assertThat(size(meters)).isEqualTo(20_000);
          application.direct.blobs("note", "text").append(1, new byte[20_000]);
          assertThat(meters.get("pgtoaster.stores").gauge().value()).isEqualTo(2);
          assertThat(size(meters)).isEqualTo(20_000);
        });
  }

  private static double size(MeterRegistry meters) {
    return meters
        .get("pgtoaster.store.content.bytes")
        .tags("column", "public.note.text", "toaster", "appendable")
        .gauge()
        .value();
  }

  @Test
  void oldStatistics_areReadAgain() {
    AtomicLong now = new AtomicLong();
    StoreStatistics statistics =
        new StoreStatistics(
            application.direct.catalog(), Duration.ofNanos(10), now::get, Runnable::run);
    SimpleMeterRegistry meters = new SimpleMeterRegistry();
    new StoreMetrics(statistics).bindTo(meters);
    assertThat(meters.get("pgtoaster.stores").gauge().value()).isEqualTo(2);
    application
        .direct
        .catalog()
        .detach(ColumnName.of("paper", "body"), DetachOptions.defaults().withDropContent(true));
    now.set(9);
    assertThat(meters.get("pgtoaster.stores").gauge().value()).isEqualTo(2);
    now.set(10);
    assertThat(meters.get("pgtoaster.stores").gauge().value()).isEqualTo(1);
    assertThat(meters.find("pgtoaster.store.warnings").gauges()).hasSize(1);
  }

  @Test
  void scrape_doesNotWaitForTheDatabase() {
    List<Runnable> asked = new ArrayList<>();
    StoreStatistics statistics =
        new StoreStatistics(application.direct.catalog(), Duration.ofHours(1), () -> 0, asked::add);
    SimpleMeterRegistry meters = new SimpleMeterRegistry();
    new StoreMetrics(statistics).bindTo(meters);
    Gauge stores = meters.get("pgtoaster.stores").gauge();
    assertThat(stores.value()).isNaN();
    assertThat(stores.value()).isNaN();
    assertThat(asked).as("in the background").hasSize(1);
    asked.get(0).run();
    assertThat(stores.value()).isEqualTo(2);
    assertThat(asked).hasSize(1);
  }

  @Test
  void readingThatCannotStart_isRetried() {
    List<Runnable> asked = new ArrayList<>();
    StoreStatistics statistics =
        new StoreStatistics(
            application.direct.catalog(),
            Duration.ofHours(1),
            () -> 0,
            task -> {
              asked.add(task);
              if (asked.size() == 1) {
                throw new OutOfMemoryError("unable to create native thread");
              }
              task.run();
            });
    assertThatThrownBy(statistics::latest).isInstanceOf(OutOfMemoryError.class);
    assertThat(statistics.latest()).hasSize(2);
  }

  @Test
  void storesOfDroppedTables_areDistinguished() {
    application.database.run(
        "CREATE TABLE other (id int PRIMARY KEY, text bigint)",
        "SELECT pgtoaster.attach('other', 'text', 'appendable')",
        "DROP TABLE note",
        "DROP TABLE other");
    StoreStatistics statistics =
        new StoreStatistics(
            application.direct.catalog(), Duration.ofHours(1), () -> 0, Runnable::run);
    SimpleMeterRegistry meters = new SimpleMeterRegistry();
    new StoreMetrics(statistics).bindTo(meters);
    assertThat(meters.get("pgtoaster.stores").gauge().value()).isEqualTo(3);
    assertThat(meters.get("pgtoaster.store.disk.bytes").gauges())
        .extracting(gauge -> gauge.getId().getTag("column"))
        .containsExactlyInAnyOrder("store_1", "store_3", "public.paper.body");
  }

  @Test
  void bytes_areCountedInTheirUnit() {
    application.runner.run(
        context -> {
          context.getBean(PgToaster.class).blobs("note", "text").append(1, new byte[3]);
          MeterRegistry meters = context.getBean(MeterRegistry.class);
          assertThat(meters.get("pgtoaster.bytes").counter().getId().getBaseUnit())
              .isEqualTo("bytes");
          assertThat(meters.getMeters())
              .filteredOn(
                  meter ->
                      meter.getId().getName().startsWith("pgtoaster.")
                          && !meter.getId().getName().startsWith("pgtoaster.call"))
              .allSatisfy(meter -> assertThat(meter.getId().getDescription()).isNotBlank());
        });
  }

  @Test
  void jobs_areMeasured() {
    application.runner.run(
        context -> {
          MeterRegistry meters = context.getBean(MeterRegistry.class);
          assertThat(meters.get("pgtoaster.orphans").gauge().value()).isNaN();
          context.getBean(Maintenance.class).run(Job.GC);
          context.getBean(Maintenance.class).run(Job.VERIFY);
          assertThat(meters.get("pgtoaster.orphans").gauge().value()).isZero();
          assertThat(meters.get("pgtoaster.damages").gauge().value()).isZero();
          assertThat(
                  meters.get("pgtoaster.job").tags("job", "gc", "outcome", "done").timer().count())
              .isEqualTo(1);
          assertThat(meters.get("pgtoaster.job.visited").tags("job", "verify").counter().count())
              .isEqualTo(1);
        });
  }
}
