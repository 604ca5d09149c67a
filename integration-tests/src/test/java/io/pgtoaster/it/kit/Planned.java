package io.pgtoaster.it.kit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.params.provider.ArgumentsSource;

/** A suite of contracts that runs in the settings that {@link Plan} chooses. */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ArgumentsSource(PlannedSettings.class)
public @interface Planned {
  /** The suite's requirements for the server. */
  Needs value();

  /** Requirements of suites for their servers. */
  enum Needs {
    /** Any version and executor: the column has a store. */
    STORE,
    /** The same, only on servers with lz4. */
    LZ4_STORE,
    /**
     * The oldest version in plain SQL, and the newest with the extension, with transparent SQL; not
     * with {@link Breadth#NEWEST}.
     */
    TRANSPARENT,
    /**
     * The newest version in plain SQL, with separate connections and the statements of a
     * distributed column; or the cluster in the property pgtoaster.test.citus.url, in both
     * connection modes.
     */
    DISTRIBUTED,
    /**
     * The oldest version in plain SQL, with separate connections through PgBouncer; not with {@link
     * Breadth#NEWEST}.
     */
    PGBOUNCER,
    /** Any version; the column has stock values, which need no executor. */
    STOCK,
    /** Only the newest version, with separate connections. */
    NEWEST
  }
}
