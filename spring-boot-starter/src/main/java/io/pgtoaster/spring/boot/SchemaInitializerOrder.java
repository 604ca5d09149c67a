package io.pgtoaster.spring.boot;

import java.util.Arrays;
import java.util.Set;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.sql.init.dependency.DatabaseInitializerDetector;
import org.springframework.core.Ordered;

/**
 * Ensures that the catalog is installed first. With {@code
 * spring.jpa.defer-datasource-initialization} Spring Boot makes every other initializer wait for
 * JPA, which waits for the catalog.
 */
final class SchemaInitializerOrder implements DatabaseInitializerDetector {
  SchemaInitializerOrder() {}

  @Override
  public Set<String> detect(ConfigurableListableBeanFactory beans) {
    return Set.of();
  }

  @Override
  public void detectionComplete(ConfigurableListableBeanFactory beans, Set<String> initializers) {
    for (String name : beans.getBeanNamesForType(PgToasterSchemaInitializer.class, true, false)) {
      BeanDefinition definition = beans.getBeanDefinition(name);
      String[] dependsOn = definition.getDependsOn();
      if (dependsOn != null) {
        definition.setDependsOn(
            Arrays.stream(dependsOn).filter(d -> !initializers.contains(d)).toArray(String[]::new));
      }
    }
  }

  @Override
  public int getOrder() {
    return Ordered.LOWEST_PRECEDENCE;
  }
}
