package io.pgtoaster.spring.test;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.TestContextAnnotationUtils;

/** Creates the customizer. Spring's test support finds this class in spring.factories. */
final class EmbeddedDatabaseCustomizerFactory implements ContextCustomizerFactory {
  EmbeddedDatabaseCustomizerFactory() {}

  @Override
  public @Nullable ContextCustomizer createContextCustomizer(
      Class<?> testClass, List<ContextConfigurationAttributes> attributes) {
    return TestContextAnnotationUtils.hasAnnotation(testClass, PgToasterTest.class)
        ? new EmbeddedDatabaseCustomizer()
        : null;
  }
}
