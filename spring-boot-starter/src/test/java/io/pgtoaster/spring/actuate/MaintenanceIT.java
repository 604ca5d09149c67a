package io.pgtoaster.spring.actuate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.blob.BlobOptions;
import io.pgtoaster.column.CallListener;
import io.pgtoaster.column.ColumnName;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class MaintenanceIT {
  private final Application application = new Application();

  private JobRun run(Job job, String... properties) {
    JobRun[] run = new JobRun[1];
    application
        .runner
        .withPropertyValues(properties)
        .run(context -> run[0] = context.getBean(Maintenance.class).run(job));
    return run[0];
  }

  @Test
  void gc_removesUnreferencedContent() {
    orphan();
    JobRun dry =
        run(Job.GC, "pgtoaster.maintenance.gc.dry-run=true", "pgtoaster.maintenance.gc.grace=0s");
    assertThat(dry.visited()).isEqualTo(1);
    assertThat(dry.changed()).isZero();
    assertThat(run(Job.GC).visited()).as("within the grace period").isZero();
    JobRun wet = run(Job.GC, "pgtoaster.maintenance.gc.grace=0s");
    assertThat(wet.changed()).isEqualTo(1);
    assertThat(application.database.value("SELECT count(*) FROM pgtoaster.store_1_head"))
        .isEqualTo("0");
  }

  @Test
  void failedGcOfAColumn_isReported_andTheRemovedContentIsCounted() {
    orphan();
    application.database.run("INSERT INTO pgtoaster.store_1_garbage VALUES (7, true)");
    application.database.run(
        "CREATE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql AS"
            + " $$ BEGIN RAISE EXCEPTION 'it stays'; END $$");
    application.database.run(
        "CREATE TRIGGER keep BEFORE DELETE ON pgtoaster.store_1_garbage FOR EACH ROW"
            + " WHEN (OLD.id = 7) EXECUTE FUNCTION keep()");
    JobRun run = run(Job.GC, "pgtoaster.maintenance.gc.grace=0s");
    assertThat(run.outcome()).isEqualTo(JobRun.FAILED);
    assertThat(run.changed()).isEqualTo(1);
    assertThat(run.left()).isNull();
    assertThat(run.problems())
        .singleElement()
        .asString()
        .startsWith("store 1, public.note.text: ")
        .contains("it stays");
  }

  @Test
  void limitedRun_isContinuedByTheNext() {
    BlobColumn notes = application.direct.blobs("note", "text");
    for (int i = 1; i <= 10; i++) {
      notes.append(i, new byte[10]);
    }
    application
        .runner
        .withPropertyValues("pgtoaster.maintenance.verify.max-rows=4")
        .run(
            context -> {
              Maintenance maintenance = context.getBean(Maintenance.class);
              JobRun first = maintenance.run(Job.VERIFY);
              assertThat(first.visited()).isEqualTo(4);
              assertThat(first.complete()).isFalse();
              assertThat(maintenance.run(Job.VERIFY).visited()).isEqualTo(4);
              JobRun last = maintenance.run(Job.VERIFY);
              assertThat(last.visited()).as("two notes and a paper").isEqualTo(3);
              assertThat(last.complete()).isTrue();
              assertThat(maintenance.run(Job.VERIFY).visited()).isEqualTo(4);
            });
  }

  @Test
  void damage_isReportedWithColumnAndKey() {
    application.direct.blobs("note", "text").append(7, new byte[100_000]);
    application.database.run("DELETE FROM pgtoaster.store_1_chunk WHERE start = 8100");
    JobRun run = run(Job.VERIFY);
    assertThat(run.problems()).singleElement().asString().startsWith("public.note.text, key 7: ");
  }

  @Test
  void compact_rewritesContentThatIsNotInItsBestForm() {
    BlobColumn notes = application.direct.blobs("note", "text");
    notes.append(3, new byte[2000]);
    for (int i = 0; i < 10; i++) {
      notes.append(3, new byte[500]);
    }
    JobRun first = run(Job.COMPACT);
    assertThat(first.changed()).isEqualTo(1);
    assertThat(first.visited()).isEqualTo(2);
    assertThat(run(Job.COMPACT).changed()).isZero();
    assertThat(notes.length(3)).isEqualTo(7000);
  }

  @Test
  void jobRunByAnotherInstance_isSkipped() throws Exception {
    try (Connection other = application.database.dataSource().getConnection();
        Statement s = other.createStatement()) {
      s.execute("SELECT pg_advisory_lock(" + Job.GC.lockKey() + ")");
      assertThat(run(Job.GC).outcome()).isEqualTo(JobRun.BUSY);
      assertThat(run(Job.VERIFY).outcome()).isEqualTo(JobRun.DONE);
    }
    // The session ended without releasing its lock, as after a crash.
    await().atMost(Duration.ofMinutes(2)).until(() -> run(Job.GC).outcome().equals(JobRun.DONE));
  }

  @Test
  void failure_isReported_andEndsOnlyThatRun() {
    application.runner.run(
        context -> {
          application.database.run("ALTER SCHEMA pgtoaster RENAME TO elsewhere");
          Maintenance maintenance = context.getBean(Maintenance.class);
          assertThat(maintenance.run(Job.GC).outcome()).isEqualTo(JobRun.FAILED);
          assertThat(maintenance.run(Job.VERIFY).problems()).hasSize(1);
          application.database.run("ALTER SCHEMA elsewhere RENAME TO pgtoaster");
          assertThat(maintenance.run(Job.GC).outcome()).isEqualTo(JobRun.DONE);
        });
  }

  @Test
  void unreadableRow_isReported_andTheRestIsVisited() {
    BlobColumn notes = application.direct.blobs("note", "text");
    notes.append(3, new byte[10]);
    notes.append(5, new byte[10]);
    application.database.run(
        "ALTER TABLE note DISABLE TRIGGER ALL",
        "UPDATE note SET text = 12345 WHERE id = 3",
        "ALTER TABLE note ENABLE TRIGGER ALL");
    JobRun verify = run(Job.VERIFY);
    assertThat(verify.visited()).isEqualTo(3);
    assertThat(verify.complete()).isTrue();
    assertThat(verify.outcome()).isEqualTo(JobRun.DONE);
    assertThat(verify.problems())
        .singleElement()
        .asString()
        .startsWith("public.note.text, key 3: ");
    assertThat(run(Job.COMPACT).complete()).isTrue();
  }

  @Test
  void columnWithoutReadPrivilege_isReported_andTheRestIsVisited() {
    application.database.asNewRole("reader");
    application.database.run(
        "GRANT SELECT ON paper TO reader", "SELECT pgtoaster.mirror_privileges(2)");
    application.direct.blobs("note", "text").append(3, new byte[10]);
    JobRun run =
        run(Job.VERIFY, "spring.datasource.username=reader", "pgtoaster.schema.initialize=never");
    assertThat(run.visited()).as("the paper").isEqualTo(1);
    assertThat(run.complete()).isTrue();
    assertThat(run.outcome()).isEqualTo(JobRun.FAILED);
    assertThat(run.problems()).singleElement().asString().contains("permission denied");
  }

  @Test
  void oneConnection_isEnough() {
    application.direct.blobs("note", "text").append(3, new byte[10]);
    for (Job job : Job.values()) {
      JobRun run =
          run(
              job,
              "spring.datasource.hikari.maximum-pool-size=1",
              "spring.datasource.hikari.connection-timeout=30000");
      assertThat(run.outcome()).as(run.toString()).isEqualTo(JobRun.DONE);
    }
  }

  @Test
  void brokenSession_endsTheRun_andReleasesTheLock() {
    BlobColumn notes = application.direct.blobs("note", "text");
    notes.append(3, new byte[10]);
    notes.append(5, new byte[10]);
    AtomicInteger breaks = new AtomicInteger(1);
    CallListener breaker =
        operation -> {
          if (breaks.getAndDecrement() > 0) {
            application.database.value(
                "SELECT pg_terminate_backend(pid) FROM pg_locks"
                    + " WHERE locktype = 'advisory' AND database ="
                    + " (SELECT oid FROM pg_database WHERE datname = current_database())");
          }
          return new Ignored();
        };
    application
        .runner
        .withBean(CallListener.class, () -> breaker)
        .run(
            context -> {
              Maintenance maintenance = context.getBean(Maintenance.class);
              assertThat(maintenance.run(Job.VERIFY).outcome()).isEqualTo(JobRun.FAILED);
              JobRun next = maintenance.run(Job.VERIFY);
              assertThat(next.outcome()).isEqualTo(JobRun.DONE);
              assertThat(next.visited()).as("rows after the failed one").isEqualTo(2);
            });
  }

  private static final class Ignored implements CallListener.Call {
    @Override
    public void end(ColumnName column, long bytes, String outcome) {}

    @Override
    public void fail(ColumnName column, Throwable failure) {}
  }

  @Test
  void stop_interruptsTheJob() {
    BlobColumn notes = application.direct.blobs("note", "text");
    for (int i = 1; i <= 10; i++) {
      notes.append(i, new byte[10]);
    }
    CountDownLatch first = new CountDownLatch(1);
    CountDownLatch stopping = new CountDownLatch(1);
    CallListener slow =
        operation -> {
          first.countDown();
          boolean interrupted = false;
          try {
            stopping.await();
          } catch (InterruptedException e) {
            interrupted = true;
          }
          if (interrupted) {
            Thread.currentThread().interrupt();
          }
          return new Ignored();
        };
    Maintenance[] maintenance = new Maintenance[1];
    application
        .runner
        .withBean(CallListener.class, () -> slow)
        .withPropertyValues("pgtoaster.maintenance.verify.cron=* * * * * *")
        .run(
            context -> {
              maintenance[0] = context.getBean(Maintenance.class);
              first.await();
            });
    assertThat(maintenance[0].lastRun(Job.VERIFY))
        .as("ended before the data source was closed")
        .hasValueSatisfying(
            run -> {
              assertThat(run.outcome()).isEqualTo(JobRun.DONE);
              assertThat(run.visited()).isEqualTo(1);
              assertThat(run.complete()).isFalse();
            });
  }

  @Test
  void schedule_isFollowed() {
    application
        .runner
        .withPropertyValues("pgtoaster.maintenance.verify.cron=* * * * * *")
        .run(
            context -> {
              Maintenance maintenance = context.getBean(Maintenance.class);
              await()
                  .atMost(Duration.ofMinutes(2))
                  .until(() -> maintenance.lastRun(Job.VERIFY).isPresent());
            });
  }

  @Test
  void compositeKeys_areVisitedInTheirOrder() {
    application.database.run(
        "CREATE TABLE part (a int, b text, c bigint, PRIMARY KEY (a, b))",
        "INSERT INTO part SELECT n, l FROM generate_series(1, 20) n, unnest('{x,y,z}'::text[]) l");
    application.direct.catalog().attach("part", "c", BlobOptions.defaults());
    BlobColumn parts = application.direct.blobs("part", "c");
    for (int i = 1; i <= 20; i++) {
      parts.append(java.util.List.of(i, "y"), new byte[1]);
    }
    assertThat(run(Job.VERIFY).visited()).isEqualTo(21);
  }

  private void orphan() {
    application.direct.blobs("note", "text").append(2, new byte[10]);
    application.database.run(
        "ALTER TABLE note DISABLE TRIGGER ALL",
        "UPDATE note SET text = NULL WHERE id = 2",
        "ALTER TABLE note ENABLE TRIGGER ALL");
  }
}
