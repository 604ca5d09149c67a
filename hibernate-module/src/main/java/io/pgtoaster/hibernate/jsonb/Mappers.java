package io.pgtoaster.hibernate.jsonb;

import io.pgtoaster.internal.json.Json;
import io.pgtoaster.internal.json.JsonCopies;
import java.lang.reflect.Type;
import java.util.function.Supplier;
import org.hibernate.HibernateException;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The mappers between documents and objects of the application's classes. */
final class Mappers {
  /** A {@link JsonMapper}, or the name or class of a {@link Supplier} of one. */
  static final String SETTING = "pgtoaster.json_mapper";

  /** One mapper for each class, whatever the number of its uses. */
  private static final ClassValue<JsonMapper> SUPPLIED =
      new ClassValue<>() {
        @Override
        protected JsonMapper computeValue(Class<?> type) {
          return supplied(type);
        }
      };

  private Mappers() {}

  /** Returns the mapper that the settings of a factory name, or the default. */
  static JsonMapper of(SessionFactoryImplementor factory) {
    Object setting = factory.getProperties().get(SETTING);
    if (setting == null) {
      return Json.mapper();
    }
    if (setting instanceof JsonMapper mapper) {
      return mapper;
    }
    return SUPPLIED.get(
        setting instanceof Class<?> type ? type : named(setting.toString(), factory));
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
        SETTING
            + " names "
            + type.getName()
            + "; it takes a JsonMapper, or a class with a constructor without arguments that is one"
            + " or supplies one",
        cause);
  }

  /** Turns an object into a tree of its own. */
  static JsonNode tree(JsonMapper mapper, @Nullable Object value) {
    if (value instanceof JsonNode node) {
      Json.check(node);
      return JsonCopies.copy(node);
    }
    if (mapper == Json.mapper() || value == null) {
      return Json.toTree(value);
    }
    JsonNode tree = mapper.valueToTree(value);
    Json.check(tree);
    return tree;
  }

  /** Turns a tree into an object; null for the JSON null. */
  static @Nullable Object object(JsonMapper mapper, JsonNode tree, Type type) {
    if (type == JsonNode.class) {
      return JsonCopies.copy(tree);
    }
    return mapper.treeToValue(tree, mapper.constructType(type));
  }
}
