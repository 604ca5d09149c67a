package io.pgtoaster.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.aot.hint.predicate.RuntimeHintsPredicates.proxies;
import static org.springframework.aot.hint.predicate.RuntimeHintsPredicates.reflection;
import static org.springframework.aot.hint.predicate.RuntimeHintsPredicates.resource;

import io.pgtoaster.Catalog;
import io.pgtoaster.hibernate.PgToasterIntegrator;
import io.pgtoaster.hibernate.query.DocumentComparisons;
import io.pgtoaster.hibernate.query.PathTranslator;
import io.pgtoaster.hibernate.query.QueryFunctions;
import io.pgtoaster.hibernate.schema.SchemaContributor;
import io.pgtoaster.spi.BlobToaster;
import io.pgtoaster.spi.JsonToaster;
import io.pgtoaster.spring.hibernate.AttachingIntegrator;
import java.sql.Connection;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.hibernate.boot.model.FunctionContributor;
import org.hibernate.boot.model.TypeContributor;
import org.hibernate.boot.spi.AdditionalMappingContributor;
import org.hibernate.integrator.spi.Integrator;
import org.hibernate.service.spi.ServiceContributor;
import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.boot.test.context.FilteredClassLoader;

class HintsTest {
  private final RuntimeHints hints = new RuntimeHints();

  HintsTest() {
    new Hints().registerHints(hints, getClass().getClassLoader());
  }

  private boolean isKept(String resource) {
    return resource().forResource(resource).test(hints);
  }

  private static boolean isMade(RuntimeHints hints, Class<?> type) {
    return reflection()
        .onType(type)
        .withMemberCategory(MemberCategory.INVOKE_DECLARED_CONSTRUCTORS)
        .test(hints);
  }

  @Test
  void nativeImage_keepsEveryScriptOfTheCatalog() {
    assertThat(Catalog.scriptNames()).allMatch(name -> isKept("io/pgtoaster/sql/" + name));
  }

  @Test
  void nativeImage_keepsTheChangelogOfLiquibase() {
    String changelog = "io/pgtoaster/liquibase/catalog.sql";
    assertThat(isKept(changelog)).isTrue();
    assertThat(getClass().getClassLoader().getResource(changelog)).isNotNull();
  }

  @Test
  void nativeImage_findsTheToasters() {
    assertThat(toasters(BlobToaster.class)).hasSize(2).allMatch(t -> isMade(hints, t));
    assertThat(toasters(JsonToaster.class)).hasSize(2).allMatch(t -> isMade(hints, t));
  }

  private <T> Stream<? extends Class<? extends T>> toasters(Class<T> service) {
    assertThat(isKept("META-INF/services/" + service.getName())).isTrue();
    return ServiceLoader.load(service).stream().map(ServiceLoader.Provider::type);
  }

  @Test
  void nativeImage_findsHibernatesServices() {
    assertThat(
            List.of(
                FunctionContributor.class,
                TypeContributor.class,
                AdditionalMappingContributor.class,
                Integrator.class,
                ServiceContributor.class))
        .allMatch(service -> isKept("META-INF/services/" + service.getName()));
    assertThat(
            List.of(
                PgToasterIntegrator.class,
                QueryFunctions.class,
                PathTranslator.class,
                DocumentComparisons.class,
                SchemaContributor.class,
                AttachingIntegrator.class))
        .allMatch(type -> isMade(hints, type));
  }

  @Test
  void nativeImage_hasTheConnectionsOfSessionFactories() {
    assertThat(proxies().forInterfaces(Connection.class)).accepts(hints);
  }

  @Test
  void withoutHibernate_itsHintsAreOmitted() {
    RuntimeHints without = new RuntimeHints();
    new Hints().registerHints(without, new FilteredClassLoader("org.hibernate"));
    assertThat(isMade(without, PathTranslator.class)).isFalse();
    assertThat(isMade(without, PgToasterIntegrator.class)).isFalse();
  }
}
