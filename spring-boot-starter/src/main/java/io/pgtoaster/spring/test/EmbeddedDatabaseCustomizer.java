package io.pgtoaster.spring.test;

import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.util.ClassUtils;

/** Makes the DataSource of a context use its own database. */
record EmbeddedDatabaseCustomizer() implements ContextCustomizer {
  private static final String NAME = "pgToasterTestDatabase";
  private static final String SERVER = "io.pgtoaster.embedded.EmbeddedPostgres";

  @Override
  public void customizeContext(
      ConfigurableApplicationContext context, MergedContextConfiguration merged) {
    if (!ClassUtils.isPresent(SERVER, context.getClassLoader())) {
      throw new IllegalStateException(
          "@PgToasterTest starts a server with pgtoaster-embedded, which is not on the class path:"
              + " add the dependency io.pgtoaster:pgtoaster-embedded with scope test");
    }
    // Test slices would replace it with a different kind of database.
    TestPropertyValues.of("spring.test.database.replace=none").applyTo(context);
    RootBeanDefinition details = new RootBeanDefinition(EmbeddedDatabase.class);
    details.setInstanceSupplier(EmbeddedDatabase::create);
    ((BeanDefinitionRegistry) context.getBeanFactory()).registerBeanDefinition(NAME, details);
  }
}
