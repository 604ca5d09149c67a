package io.pgtoaster.spring.boot;

import io.pgtoaster.Catalog;
import io.pgtoaster.spi.BlobToaster;
import io.pgtoaster.spi.JsonToaster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.util.ClassUtils;

/**
 * Registers what a native image must keep and Spring does not detect: scripts, toasters, and
 * classes that Hibernate finds by {@link java.util.ServiceLoader} or by name.
 */
final class Hints implements RuntimeHintsRegistrar {
  private static final String SERVICES = "META-INF/services/";

  /** These are named as text, because Hibernate may be missing from the class path. */
  private static final List<String> OF_HIBERNATE =
      List.of(
          "org.hibernate.boot.model.FunctionContributor",
          "org.hibernate.boot.model.TypeContributor",
          "org.hibernate.boot.spi.AdditionalMappingContributor",
          "org.hibernate.integrator.spi.Integrator",
          "org.hibernate.service.spi.ServiceContributor");

  /** Classes that settings name. */
  private static final List<String> TRANSLATORS =
      List.of(
          "io.pgtoaster.hibernate.query.PathTranslator",
          "io.pgtoaster.hibernate.query.DocumentComparisons");

  Hints() {}

  @Override
  public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
    Catalog.scriptNames()
        .forEach(name -> hints.resources().registerPattern("io/pgtoaster/sql/" + name));
    hints.resources().registerPattern("io/pgtoaster/liquibase/catalog.sql");
    hints.proxies().registerJdkProxy(Connection.class);
    keepProviders(BlobToaster.class.getName(), hints, classLoader);
    keepProviders(JsonToaster.class.getName(), hints, classLoader);
    if (ClassUtils.isPresent(OF_HIBERNATE.get(0), classLoader)) {
      OF_HIBERNATE.forEach(service -> keepProviders(service, hints, classLoader));
      TRANSLATORS.forEach(translator -> keep(translator, hints));
    }
  }

  /** Keeps the providers of all jars, because a native image merges their service files. */
  private static void keepProviders(
      String service, RuntimeHints hints, @Nullable ClassLoader classLoader) {
    hints.resources().registerPattern(SERVICES + service);
    try {
      for (Resource file :
          new PathMatchingResourcePatternResolver(classLoader)
              .getResources("classpath*:" + SERVICES + service)) {
        file.getContentAsString(StandardCharsets.UTF_8)
            .lines()
            .map(line -> line.replaceFirst("#.*", "").strip())
            .filter(line -> !line.isEmpty())
            .forEach(provider -> keep(provider, hints));
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the providers of " + service, e);
    }
  }

  private static void keep(String type, RuntimeHints hints) {
    hints
        .reflection()
        .registerType(TypeReference.of(type), MemberCategory.INVOKE_DECLARED_CONSTRUCTORS);
  }
}
