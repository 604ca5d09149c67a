package io.pgtoaster.spring.hibernate;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.PgToaster;
import io.pgtoaster.hibernate.PgToasterSettings;
import io.pgtoaster.hibernate.blob.AppendableBlob;
import io.pgtoaster.hibernate.jsonb.KeyedJson;
import io.pgtoaster.spring.boot.AutoConfigurationFile;
import io.pgtoaster.spring.kit.TestDatabase;
import jakarta.persistence.EntityManager;
import java.nio.ByteBuffer;
import java.util.Map;
import org.hibernate.cfg.MappingSettings;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.hibernate.autoconfigure.HibernatePropertiesCustomizer;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.json.JsonMapper;

/** Documents use the same JSON mapping as the rest of the application. */
class JsonMapperIT {
  private final TestDatabase database = TestDatabase.empty();
  private final ApplicationContextRunner runner =
      new ApplicationContextRunner()
          .withPropertyValues(database.properties("spring.jpa.hibernate.ddl-auto=update"))
          .withPropertyValues("spring.jackson.property-naming-strategy=SNAKE_CASE")
          .withUserConfiguration(Entities.class)
          .withConfiguration(
              AutoConfigurations.of(
                  DataSourceAutoConfiguration.class,
                  TransactionAutoConfiguration.class,
                  JacksonAutoConfiguration.class,
                  HibernateJpaAutoConfiguration.class))
          .withConfiguration(AutoConfigurations.of(AutoConfigurationFile.classes()));

  @AutoConfigurationPackage
  static class Entities {}

  /** A value whose names need mapping. */
  record Speaker(String firstName) {}

  private static String notes(ApplicationContext context) {
    return context.getBean(PgToaster.class).documents("talk", "notes").text(1).orElseThrow();
  }

  private static void persist(ApplicationContext context) {
    Talk talk = new Talk();
    talk.id = 1;
    talk.audio = AppendableBlob.of(new byte[10]);
    talk.notes = KeyedJson.of(Map.of("speaker", new Speaker("Ada")));
    context
        .getBean(TransactionTemplate.class)
        .executeWithoutResult(status -> context.getBean(EntityManager.class).persist(talk));
  }

  @Test
  void applicationsMapper_mapsDocumentsOfEntitiesAndOfTheBean() {
    runner.run(
        context -> {
          persist(context);
          assertThat(notes(context)).isEqualTo("{\"speaker\": {\"first_name\": \"Ada\"}}");
          var documents = context.getBean(PgToaster.class).documents("talk", "notes");
          assertThat(documents.at(1, "speaker").get(Speaker.class)).contains(new Speaker("Ada"));
          documents.at(1, "other").set(new Speaker("Bob"));
          assertThat(notes(context)).contains("\"other\": {\"first_name\": \"Bob\"}");
          Talk talk = context.getBean(EntityManager.class).find(Talk.class, 1);
          assertThat(talk.notes.get("other", Speaker.class)).contains(new Speaker("Bob"));
          assertThat(context.getBean(JsonMapper.class).writeValueAsString(talk.notes))
              .contains("{\"first_name\":\"Bob\"}");
        });
  }

  /** A value whose bytes Spring Boot's Jackson keeps as objects in a tree. */
  static class Photo {
    public byte[] bytes = {1, 2};
    public ByteBuffer buffer = ByteBuffer.wrap(new byte[] {3});
  }

  @Test
  void bytes_areStoredInBase64() {
    runner.run(
        context -> {
          Talk talk = new Talk();
          talk.id = 1;
          talk.notes = KeyedJson.of(Map.of("photo", new Photo()));
          context
              .getBean(TransactionTemplate.class)
              .executeWithoutResult(status -> context.getBean(EntityManager.class).persist(talk));
          assertThat(notes(context))
              .isEqualTo("{\"photo\": {\"bytes\": \"AQI=\", \"buffer\": \"Aw==\"}}");
        });
  }

  /** Runs after all other customizers. */
  @Order(Ordered.LOWEST_PRECEDENCE)
  static class Last implements HibernatePropertiesCustomizer {
    @Override
    public void customize(Map<String, Object> settings) {
      assertThat(settings).containsKey(PgToasterSettings.DEFAULT_JSON_MAPPER);
      settings.put(MappingSettings.JSON_FORMAT_MAPPER, "jackson3");
    }
  }

  /** Registered after our auto-configuration. */
  @AutoConfiguration(after = EntitiesAutoConfiguration.class)
  static class Later {
    @Bean
    Last last() {
      return new Last();
    }
  }

  @Test
  void mapperNamedForHibernate_isUsedOnlyForEntities() {
    runner
        .withConfiguration(AutoConfigurations.of(Later.class))
        .run(
            context -> {
              persist(context);
              assertThat(notes(context)).isEqualTo("{\"speaker\": {\"firstName\": \"Ada\"}}");
            });
  }
}
