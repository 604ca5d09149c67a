package io.pgtoaster.hibernate.jsonb;

import static org.hibernate.cfg.MappingSettings.JSON_FORMAT_MAPPER;

import io.pgtoaster.hibernate.PgToasterSettings;
import io.pgtoaster.internal.json.Json;
import java.util.function.Supplier;
import org.hibernate.HibernateException;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** Finds the mapper of a session factory. */
final class Mappers {
  /** The library's own mapper, used if the settings do not name another one. */
  static final ObjectMapping SHARED = new ObjectMapping.OfJackson(Json.mapper());

  /** One mapping for each class, however often the settings name it. */
  private static final ClassValue<ObjectMapping> SUPPLIED =
      new ClassValue<>() {
        @Override
        protected ObjectMapping computeValue(Class<?> type) {
          return new ObjectMapping.OfJackson(supplied(type));
        }
      };

  private Mappers() {}

  /**
   * Returns the mapper in the settings of a factory: pgtoaster's setting before Hibernate's, then
   * the default.
   */
  static ObjectMapping of(SessionFactoryImplementor factory) {
    Object setting = factory.getProperties().get(PgToasterSettings.JSON_MAPPER);
    if (setting instanceof JsonMapper mapper) {
      return new ObjectMapping.OfJackson(mapper);
    }
    if (setting != null) {
      return SUPPLIED.get(
          setting instanceof Class<?> type ? type : named(setting.toString(), factory));
    }
    if (factory.getProperties().get(JSON_FORMAT_MAPPER) != null) {
      return new ObjectMapping.OfHibernate(
          factory.getSessionFactoryOptions().getJsonFormatMapper(), factory);
    }
    return factory.getProperties().get(PgToasterSettings.DEFAULT_JSON_MAPPER)
            instanceof JsonMapper mapper
        ? new ObjectMapping.OfJackson(mapper)
        : SHARED;
  }

  private static Class<?> named(String name, SessionFactoryImplementor factory) {
    return factory
        .getServiceRegistry()
        .requireService(org.hibernate.boot.registry.classloading.spi.ClassLoaderService.class)
        .classForName(name);
  }

  private static JsonMapper supplied(Class<?> type) {
    try {
      Object made = type.getDeclaredConstructor().newInstance();
      if (made instanceof JsonMapper mapper) {
        return mapper;
      }
      if (made instanceof Supplier<?> supplier && supplier.get() instanceof JsonMapper mapper) {
        return mapper;
      }
    } catch (ReflectiveOperationException e) {
      throw refused(type, e);
    }
    throw refused(type, null);
  }

  private static HibernateException refused(Class<?> type, @Nullable Exception cause) {
    return new HibernateException(
        PgToasterSettings.JSON_MAPPER
            + " names "
            + type.getName()
            + "; it must name a JsonMapper, or a class with a no-argument constructor that is or"
            + " supplies one",
        cause);
  }
}
