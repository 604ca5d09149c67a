package io.pgtoaster.spring.boot;

import java.util.Arrays;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

/** Finds the data source to use. */
final class DataSources {
  private DataSources() {}

  static DataSource find(
      @Nullable String name, ListableBeanFactory beans, ObjectProvider<DataSource> single) {
    if (name == null) {
      return single.getObject();
    }
    if (!beans.containsBean(name) || !beans.isTypeMatch(name, DataSource.class)) {
      throw new UnsuitableDatabaseException(
          "pgtoaster.datasource names \""
              + name
              + "\", but that DataSource does not exist; DataSources: "
              + names(beans),
          "Set pgtoaster.datasource to the name of one of them, or omit it if there is only one, or"
              + " a primary one.");
    }
    return beans.getBean(name, DataSource.class);
  }

  static String names(ListableBeanFactory beans) {
    String[] names = all(beans);
    return names.length == 0 ? "none" : String.join(", ", Arrays.stream(names).sorted().toList());
  }

  static int count(ListableBeanFactory beans) {
    return all(beans).length;
  }

  /** Returns the target of a Spring proxy, or null if the data source is not a proxy. */
  static @Nullable DataSource target(DataSource source) {
    return source instanceof DelegatingDataSource proxy ? proxy.getTargetDataSource() : null;
  }

  /** Returns true if two data sources have the same target, after unwrapping Spring's proxies. */
  static boolean isSame(DataSource one, DataSource other) {
    return innermost(one).equals(innermost(other));
  }

  private static DataSource innermost(DataSource source) {
    @Nullable DataSource target = target(source);
    return target == null ? source : innermost(target);
  }

  /** Returns true if the target of a data source depends on the calling thread. */
  static boolean isRouted(DataSource source) {
    for (@Nullable DataSource at = source; at != null; at = target(at)) {
      if (at instanceof AbstractRoutingDataSource) {
        return true;
      }
    }
    return false;
  }

  private static String[] all(ListableBeanFactory beans) {
    return beans.getBeanNamesForType(DataSource.class, true, false);
  }
}
