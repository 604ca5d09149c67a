package io.pgtoaster.hibernate.event;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;

/** Finds the field or getter of an attribute. */
final class Members {
  private Members() {}

  /**
   * Returns all annotations of an attribute, on its field or getter, in the class or a superclass.
   */
  static AnnotatedElement find(Class<?> type, String attribute) {
    String suffix = Character.toUpperCase(attribute.charAt(0)) + attribute.substring(1);
    List<String> getters = List.of("get" + suffix, "is" + suffix, attribute);
    Field field = null;
    for (Class<?> c = type; c != null && c != Object.class; c = c.getSuperclass()) {
      for (Method method : c.getDeclaredMethods()) {
        if (method.getParameterCount() == 0
            && getters.contains(method.getName())
            && isMapped(method)) {
          return method;
        }
      }
      if (field == null) {
        field =
            Arrays.stream(c.getDeclaredFields())
                .filter(f -> f.getName().equals(attribute))
                .findFirst()
                .orElse(null);
      }
    }
    return field == null ? type : field;
  }

  private static boolean isMapped(Method method) {
    return Arrays.stream(method.getAnnotations())
        .map(a -> a.annotationType().getPackageName())
        .anyMatch(
            p ->
                p.startsWith("jakarta.persistence")
                    || p.startsWith("io.pgtoaster")
                    || p.startsWith("org.hibernate.annotations"));
  }
}
