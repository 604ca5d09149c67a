package io.pgtoaster.it.kit;

import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.platform.commons.support.ReflectionSupport;

/**
 * A class that runs contracts on one kind of column.
 *
 * @param type the class
 * @param needs the requirements for the server
 * @param column the column
 * @param contracts the names of the interfaces with its tests
 */
public record Suite(Class<?> type, Planned.Needs needs, ColumnSpec column, List<String> contracts) {
  private static final int WITH_LZ4 = 15;

  /** All suites of the integration tests, sorted by name. */
  public static List<Suite> all() {
    return ReflectionSupport.findAllClassesInPackage(
            "io.pgtoaster.it", ContractSuite.class::isAssignableFrom, name -> name.endsWith("IT"))
        .stream()
        .filter(type -> type.isAnnotationPresent(Planned.class))
        .sorted(Comparator.comparing(Class::getSimpleName))
        .map(Suite::of)
        .toList();
  }

  private static Suite of(Class<?> type) {
    return new Suite(
        type, type.getAnnotation(Planned.class).value(), make(type).spec(), contracts(type));
  }

  private static ContractSuite<?> make(Class<?> type) {
    try {
      Constructor<?> constructor = type.getDeclaredConstructor();
      constructor.setAccessible(true);
      return (ContractSuite<?>) constructor.newInstance();
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(type.getName(), e);
    }
  }

  /** Returns the names of all interfaces with tests that a class implements. */
  private static List<String> contracts(Class<?> type) {
    List<String> found = new ArrayList<>();
    for (Class<?> each : type.getInterfaces()) {
      if (Arrays.stream(each.getDeclaredMethods()).anyMatch(Suite::isTest)) {
        found.add(each.getSimpleName());
      }
      found.addAll(contracts(each));
    }
    return found;
  }

  private static boolean isTest(Method method) {
    return method.isAnnotationPresent(Test.class);
  }

  /** Returns the available settings in which the suite can run. */
  Stream<Setting> settings(List<Integer> versions, List<Boolean> executors) {
    if (needs == Planned.Needs.DISTRIBUTED) {
      return PostgresServers.offersCitus()
          ? Stream.of(true, false).map(own -> new Setting(PostgresServers.CITUS, own))
          : Stream.of(new Setting(Collections.max(versions), true));
    }
    if (needs == Planned.Needs.PGBOUNCER) {
      return executors.contains(false)
          ? Stream.of(new Setting(Collections.min(versions), true, false, true))
          : Stream.of();
    }
    if (needs == Planned.Needs.TRANSPARENT) {
      return executors.contains(true) ? transparent(versions) : Stream.of();
    }
    List<Integer> its =
        switch (needs) {
          case STORE, STOCK, TRANSPARENT, DISTRIBUTED, PGBOUNCER -> versions;
          case LZ4_STORE -> List.of(WITH_LZ4);
          case NEWEST -> versions.stream().max(Comparator.naturalOrder()).stream().toList();
        };
    return its.stream()
        .flatMap(v -> Stream.of(true, false).map(own -> new Setting(v, own)))
        .flatMap(s -> executors.stream().map(e -> new Setting(s.version(), s.own(), e)))
        .filter(s -> column.hasStore() || !s.extension())
        .filter(s -> needs != Planned.Needs.NEWEST || s.own());
  }

  private static Stream<Setting> transparent(List<Integer> versions) {
    return Stream.of(
            new Setting(Collections.min(versions), true),
            new Setting(Collections.max(versions), true).withExtension())
        .map(Setting::withTransparency);
  }

  /** The toaster and its options. */
  String option() {
    return column.toaster()
        + " "
        + column.type()
        + " "
        + column.options()
        + (column.upgraded() ? ", upgraded" : "");
  }

  /** The kind of key of the owner's rows. */
  String shape() {
    return column.key().name();
  }

  @Override
  public String toString() {
    return type.getSimpleName();
  }
}
