package io.pgtoaster.spring.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.blob.AppendOptions;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.column.AppendToken;
import io.pgtoaster.internal.column.ColumnLookup;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.ApplicationContext;

class HealthIT {
  private final Application application = new Application();

  private static Health health(ApplicationContext context) {
    return context.getBean(HealthIndicator.class).health(true);
  }

  @Test
  void health_reportsVersionAndExecutors() {
    application.runner.run(
        context -> {
          Health health = health(context);
          assertThat(health.getStatus()).isEqualTo(Status.UP);
          assertThat(health.getDetails())
              .containsEntry("catalogVersion", ColumnLookup.CATALOG_VERSION)
              .containsEntry(
                  "executors", Map.of("public.note.text", "sql", "public.paper.body", "sql"))
              .doesNotContainKeys("orphans", "damages");
        });
  }

  @Test
  void health_reportsTheLastFindings() {
    orphan();
    application
        .runner
        .withPropertyValues(
            "pgtoaster.maintenance.gc.grace=0s", "pgtoaster.maintenance.gc.dry-run=true")
        .run(
            context -> {
              Maintenance maintenance = context.getBean(Maintenance.class);
              maintenance.run(Job.GC);
              maintenance.run(Job.VERIFY);
              assertThat(health(context).getDetails())
                  .containsEntry("orphans", 1L)
                  .containsEntry("damages", 0L)
                  .containsKeys("orphansCheckedAt", "verifiedAt");
            });
  }

  @Test
  void damage_isDown() {
    application.direct.blobs("note", "text").append(1, new byte[100_000]);
    application.runner.run(
        context -> {
          application.database.run("DELETE FROM pgtoaster.store_1_chunk WHERE start = 8100");
          context.getBean(Maintenance.class).run(Job.VERIFY);
          assertThat(health(context).getStatus()).isEqualTo(Status.DOWN);
          assertThat(health(context).getDetails()).containsEntry("damages", 1L);
        });
  }

  @Test
  void damage_remainsReported_whileLaterRunsCheckOtherRows() {
    BlobColumn notes = application.direct.blobs("note", "text");
    notes.append(1, new byte[100_000]);
    notes.append(2, new byte[10]);
    notes.append(3, new byte[10]);
    application
        .runner
        .withPropertyValues("pgtoaster.maintenance.verify.max-rows=3")
        .run(
            context -> {
              Maintenance maintenance = context.getBean(Maintenance.class);
              application.database.run(
                  "CREATE TABLE kept AS SELECT * FROM pgtoaster.store_1_chunk WHERE start = 8100",
                  "DELETE FROM pgtoaster.store_1_chunk WHERE start = 8100");
              maintenance.run(Job.VERIFY);
              assertThat(maintenance.run(Job.VERIFY).complete()).isTrue();
              assertThat(health(context).getDetails()).containsEntry("damages", 1L);
              application.database.run("INSERT INTO pgtoaster.store_1_chunk SELECT * FROM kept");
              maintenance.run(Job.VERIFY);
              assertThat(health(context).getStatus()).as("seen in part").isEqualTo(Status.DOWN);
              assertThat(maintenance.run(Job.VERIFY).complete()).isTrue();
              assertThat(health(context).getDetails()).containsEntry("damages", 0L);
              assertThat(health(context).getStatus()).isEqualTo(Status.UP);
            });
  }

  @Test
  void failedCheck_reportsNoDamage() {
    application.runner.run(
        context -> {
          application.database.run("ALTER VIEW pgtoaster.attached_column RENAME TO elsewhere");
          for (Job job : Job.values()) {
            assertThat(context.getBean(Maintenance.class).run(job).outcome())
                .isEqualTo(JobRun.FAILED);
          }
          application.database.run("ALTER VIEW pgtoaster.elsewhere RENAME TO attached_column");
          assertThat(health(context).getStatus()).isEqualTo(Status.UP);
          assertThat(health(context).getDetails()).doesNotContainKeys("orphans", "damages");
        });
  }

  @Test
  void tokensOfIdleWriters_areNotOrphans() {
    application
        .direct
        .blobs("note", "text")
        .append(
            1,
            new byte[10],
            AppendOptions.defaults().withToken(new AppendToken(AppendToken.newWriter(), 1)));
    application
        .runner
        .withPropertyValues(
            "pgtoaster.maintenance.gc.token-horizon=0s", "pgtoaster.maintenance.gc.dry-run=true")
        .run(
            context -> {
              assertThat(context.getBean(Maintenance.class).run(Job.GC).visited()).isEqualTo(1);
              assertThat(health(context).getDetails()).containsEntry("orphans", 0L);
            });
  }

  @Test
  void missingCatalog_isUnknown_andAnotherVersionIsDown() {
    application.runner.run(
        context -> {
          application.database.run("UPDATE pgtoaster.version SET version = 1");
          assertThat(health(context).getStatus()).isEqualTo(Status.DOWN);
          application.database.run("DROP SCHEMA pgtoaster CASCADE");
          assertThat(health(context).getStatus()).isEqualTo(Status.UNKNOWN);
        });
  }

  /** Creates unreferenced content, which is not removed because its trigger is disabled. */
  private void orphan() {
    application.direct.blobs("note", "text").append(2, new byte[10]);
    application.database.run(
        "ALTER TABLE note DISABLE TRIGGER ALL",
        "UPDATE note SET text = NULL WHERE id = 2",
        "ALTER TABLE note ENABLE TRIGGER ALL");
  }
}
