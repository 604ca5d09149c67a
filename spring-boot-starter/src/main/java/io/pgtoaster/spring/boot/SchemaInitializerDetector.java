package io.pgtoaster.spring.boot;

import java.util.Set;
import org.springframework.boot.sql.init.dependency.AbstractBeansOfTypeDatabaseInitializerDetector;

/** Installs the catalog before migrations run, because they may attach columns. */
final class SchemaInitializerDetector extends AbstractBeansOfTypeDatabaseInitializerDetector {
  private static final int BEFORE_MIGRATIONS = -1;

  SchemaInitializerDetector() {}

  @Override
  protected Set<Class<?>> getDatabaseInitializerBeanTypes() {
    return Set.of(PgToasterSchemaInitializer.class);
  }

  @Override
  public int getOrder() {
    return BEFORE_MIGRATIONS;
  }
}
