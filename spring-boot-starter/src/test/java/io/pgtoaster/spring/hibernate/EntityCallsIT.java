package io.pgtoaster.spring.hibernate;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.ObservationView;
import io.pgtoaster.PgToaster;
import io.pgtoaster.hibernate.PgToasterSettings;
import io.pgtoaster.hibernate.blob.AppendableBlob;
import io.pgtoaster.hibernate.jsonb.KeyedJson;
import io.pgtoaster.spring.boot.AutoConfigurationFile;
import io.pgtoaster.spring.kit.TestDatabase;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.transaction.support.TransactionTemplate;

/** Calls on entity attributes are measured and observed like those on the bean. */
class EntityCallsIT {
  private final TestDatabase database = TestDatabase.empty();
  private final ApplicationContextRunner runner =
      new ApplicationContextRunner()
          .withPropertyValues(database.properties("spring.jpa.hibernate.ddl-auto=update"))
          .withUserConfiguration(Entities.class)
          .withBean(MeterRegistry.class, () -> new SimpleMeterRegistry())
          .withConfiguration(
              AutoConfigurations.of(
                  DataSourceAutoConfiguration.class,
                  TransactionAutoConfiguration.class,
                  MetricsAutoConfiguration.class,
                  HibernateJpaAutoConfiguration.class))
          .withConfiguration(AutoConfigurations.of(AutoConfigurationFile.classes()));

  @AutoConfigurationPackage
  static class Entities {}

  private static void inTransaction(ApplicationContext context, Consumer<EntityManager> work) {
    context
        .getBean(TransactionTemplate.class)
        .executeWithoutResult(status -> work.accept(context.getBean(EntityManager.class)));
  }

  private static void persist(EntityManager entities) {
    Talk talk = new Talk();
    talk.id = 1;
    talk.audio = AppendableBlob.of(new byte[10]);
    talk.notes = KeyedJson.of(Map.of("a", 1));
    entities.persist(talk);
  }

  private static long calls(ApplicationContext context, String operation, String column) {
    return context.getBean(MeterRegistry.class).find("pgtoaster.call").timers().stream()
        .filter(timer -> operation.equals(timer.getId().getTag("operation")))
        .filter(timer -> ("public.talk." + column).equals(timer.getId().getTag("column")))
        .mapToLong(Timer::count)
        .sum();
  }

  @Test
  void callsOfAttributes_areCountedOnce_inAdditionToThoseOfTheBean() {
    runner.run(
        context -> {
          inTransaction(context, EntityCallsIT::persist);
          inTransaction(
              context,
              entities -> {
                Talk talk = entities.find(Talk.class, 1);
                talk.audio.append(new byte[5]);
                talk.notes.set("a", 2);
              });
          assertThat(calls(context, "blob.append", "audio")).isEqualTo(2);
          assertThat(calls(context, "document.edit", "notes")).isEqualTo(1);
          context.getBean(PgToaster.class).blobs("talk", "audio").append(1, new byte[5]);
          assertThat(calls(context, "blob.append", "audio")).isEqualTo(3);
          assertThat(
                  context
                      .getBean(MeterRegistry.class)
                      .get("pgtoaster.bytes")
                      .tags("operation", "blob.append", "column", "public.talk.audio")
                      .counter()
                      .count())
              .isEqualTo(20);
        });
  }

  @Test
  void callsOfATransaction_belongToTheObservationAroundIt() {
    ObservationRegistry observations = ObservationRegistry.create();
    List<String> seen = new ArrayList<>();
    observations
        .observationConfig()
        .observationHandler(
            new ObservationHandler<Observation.Context>() {
              @Override
              public void onStop(Observation.Context context) {
                ObservationView parent = context.getParentObservation();
                seen.add(
                    context.getContextualName()
                        + " in "
                        + (parent == null ? null : parent.getContextView().getName()));
              }

              @Override
              public boolean supportsContext(Observation.Context context) {
                return true;
              }
            });
    runner
        .withBean(ObservationRegistry.class, () -> observations)
        .run(
            context -> {
              inTransaction(context, EntityCallsIT::persist);
              seen.clear();
              Observation.createNotStarted("request", observations)
                  .observe(
                      () ->
                          inTransaction(
                              context,
                              entities -> {
                                Talk talk = entities.find(Talk.class, 1);
                                talk.notes.increment("a", 1); // runs at commit
                                talk.audio.append(new byte[5]);
                              }));
              assertThat(seen)
                  .containsExactly(
                      "pgtoaster blob.append in request",
                      "pgtoaster document.edit in request",
                      "null in null");
              assertThat(observations.getCurrentObservation()).isNull();
            });
  }

  @Test
  void callsOfAttributes_areNotReported_ifDisabled() {
    runner
        .withPropertyValues("pgtoaster.metrics.calls=false")
        .run(
            context -> {
              inTransaction(context, EntityCallsIT::persist);
              assertThat(calls(context, "blob.append", "audio")).isZero();
            });
  }

  private static Map<String, Object> settings(ApplicationContext context) {
    return context.getBean(EntityManagerFactory.class).getProperties();
  }

  @Test
  void extension_isNotUsedByEntities_ifDisabled() {
    runner.run(
        context -> assertThat(settings(context)).containsEntry(PgToasterSettings.EXTENSION, true));
    runner
        .withPropertyValues("pgtoaster.extension=false")
        .run(
            context ->
                assertThat(settings(context)).containsEntry(PgToasterSettings.EXTENSION, false));
  }
}
