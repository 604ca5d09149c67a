package io.pgtoaster.it.kit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.params.provider.ArgumentsSource;

/** A suite of contracts that runs in the settings which {@link Plan} chooses for it. */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ArgumentsSource(PlannedSettings.class)
public @interface Planned {
  /** What the suite needs of its server. */
  Needs value();

  /** What a suite needs of its server. */
  enum Needs {
    /** Any version, and whichever executor: its column has a store. */
    STORE,
    /** The same, on servers with lz4. */
    LZ4_STORE,
    /**
     * The oldest version by plain SQL and the newest by the extension, whose module makes plain SQL
     * see split documents as whole ones; not with {@link Breadth#NEWEST}.
     */
    TRANSPARENT,
    /**
     * The newest version by plain SQL, with own connections: the statements of a distributed
     * column; or the cluster of the property pgtoaster.test.citus.url, in both connection modes.
     */
    DISTRIBUTED,
    /** Any version; its values are stock ones, which no executor knows. */
    STOCK,
    /** The newest version alone, with own connections. */
    NEWEST
  }
}
