package io.pgtoaster.spring.aot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.aot.hint.predicate.RuntimeHintsPredicates.reflection;
import static org.springframework.aot.hint.predicate.RuntimeHintsPredicates.resource;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.pgtoaster.hibernate.jsonb.KeyedColumn;
import io.pgtoaster.hibernate.jsonb.KeyedJson;
import io.pgtoaster.spring.actuate.PgToasterEndpoint;
import io.pgtoaster.spring.boot.AutoConfigurationFile;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.GeneratedFiles.Kind;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.TypeReference;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.boot.web.context.servlet.AnnotationConfigServletWebApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.core.ResolvableType;
import org.springframework.javapoet.ClassName;

/** Processes an application with all features ahead of time, without a database. */
class AheadOfTimeTest {
  private static final InMemoryGeneratedFiles FILES = new InMemoryGeneratedFiles();
  private static RuntimeHints hints;

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @AutoConfigurationPackage(basePackages = {"io.pgtoaster.spring.aot", "io.pgtoaster.spring.data"})
  static class Application {
    @Bean
    MeterRegistry meters() {
      return new SimpleMeterRegistry();
    }
  }

  /** An entity with documents of the application's classes. */
  @Entity
  static class Assembly {
    @Id long id;
    KeyedJson<Agenda> agenda;
    @KeyedColumn Item next;
  }

  record Agenda(String title, List<String> topics) {}

  record Item(String topic, int minutes) {}

  @BeforeAll
  static void process() {
    var context = new AnnotationConfigServletWebApplicationContext();
    TestPropertyValues.of(
            "spring.flyway.enabled=false",
            "spring.liquibase.enabled=false",
            "management.endpoints.web.exposure.include=pgtoaster",
            "pgtoaster.tus.enabled=true")
        .applyTo(context);
    context.register(Application.class);
    var generation =
        new DefaultGenerationContext(
            new ClassNameGenerator(ClassName.get(AheadOfTimeTest.class)), FILES);
    new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
    generation.writeGeneratedContent();
    hints = generation.getRuntimeHints();
  }

  @Test
  void everyConfiguration_isGenerated() {
    Set<String> generated = FILES.getGeneratedFiles(Kind.SOURCE).keySet();
    for (Class<?> configuration : AutoConfigurationFile.classes()) {
      String name = configuration.getName().replace('.', '/');
      assertThat(generated).as(name).anyMatch(file -> file.startsWith(name + "__"));
    }
  }

  @Test
  void recordsOfTheEndpoint_areKept() {
    Set<String> seen = new TreeSet<>();
    records(ResolvableType.forClass(PgToasterEndpoint.Report.class), seen);
    assertThat(seen).hasSizeGreaterThan(3);
  }

  private static void records(ResolvableType type, Set<String> seen) {
    Arrays.stream(type.getGenerics()).forEach(generic -> records(generic, seen));
    Class<?> raw = type.resolve(Object.class);
    if (raw.isRecord() && seen.add(raw.getName())) {
      for (RecordComponent component : raw.getRecordComponents()) {
        assertThat(reflection().onMethodInvocation(component.getAccessor())).accepts(hints);
        records(ResolvableType.forType(component.getGenericType()), seen);
      }
    }
  }

  @Test
  void fragmentsOfRepositories_areCreatedAndCalled() throws ClassNotFoundException {
    for (String name : List.of("BlobRepository", "DocumentRepository")) {
      Class<?> fragment = Class.forName("io.pgtoaster.spring.data." + name + "Fragment");
      assertThat(
              reflection()
                  .onType(fragment)
                  .withMemberCategory(MemberCategory.INVOKE_DECLARED_CONSTRUCTORS))
          .accepts(hints);
      assertThat(fragment.getInterfaces()[0].getMethods())
          .allMatch(method -> reflection().onMethodInvocation(method).test(hints));
    }
  }

  @Test
  void propertiesOfEachPart_areBound() {
    for (String type :
        List.of(
            "boot.PgToasterProperties",
            "boot.PgToasterProperties$Schema",
            "actuate.MetricsProperties",
            "actuate.MaintenanceProperties",
            "actuate.MaintenanceProperties$Gc",
            "actuate.MaintenanceProperties$Rows",
            "tus.TusProperties")) {
      assertThat(reflection().onType(TypeReference.of("io.pgtoaster.spring." + type)))
          .as(type)
          .accepts(hints);
    }
  }

  @Test
  void scripts_areKept() {
    assertThat(resource().forResource("io/pgtoaster/spring/tus/upload.sql")).accepts(hints);
    assertThat(resource().forResource("io/pgtoaster/sql/catalog/catalog.sql")).accepts(hints);
  }

  @Test
  void classOfADocument_isReadAndWritten() {
    for (Class<?> type : List.of(Agenda.class, Item.class)) {
      assertThat(
              reflection()
                  .onType(type)
                  .withMemberCategory(MemberCategory.INVOKE_DECLARED_CONSTRUCTORS))
          .as(type.getName())
          .accepts(hints);
      for (RecordComponent component : type.getRecordComponents()) {
        assertThat(reflection().onMethodInvocation(component.getAccessor())).accepts(hints);
      }
    }
  }
}
