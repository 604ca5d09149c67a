package io.pgtoaster.hibernate;

import io.pgtoaster.PgToaster;
import io.pgtoaster.column.CallListener;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.hibernate.HibernateException;
import org.hibernate.internal.util.config.ConfigurationHelper;

/** Settings of a session factory that pgtoaster reads. All may be left out. */
public final class PgToasterSettings {
  /**
   * A {@link CallListener}: it is notified of every call that attributes of entities make. None by
   * default.
   */
  public static final String CALL_LISTENER = "pgtoaster.call_listener";

  /**
   * Whether attributes of entities call the functions of the server extension where it is
   * installed: true, which is the default, or false.
   */
  public static final String EXTENSION = "pgtoaster.extension";

  /**
   * What turns objects of the application's classes into documents and back: a {@link
   * tools.jackson.databind.json.JsonMapper}, or a class, or the name of one, that is one or a
   * {@link java.util.function.Supplier} of one. By default the mapper that Hibernate's {@code
   * hibernate.type.json_format_mapper} names; where that is not set, a plain one that keeps the
   * digits of numbers.
   */
  public static final String JSON_MAPPER = "pgtoaster.json_mapper";

  /**
   * A {@link tools.jackson.databind.json.JsonMapper} that takes the place of the plain one, where
   * neither {@link #JSON_MAPPER} nor Hibernate's setting names another: Spring Boot's, in its
   * applications.
   */
  public static final String DEFAULT_JSON_MAPPER = "pgtoaster.default_json_mapper";

  private PgToasterSettings() {}

  /** What makes an entry point one as the settings want it. */
  static UnaryOperator<PgToaster> pgToaster(Map<String, Object> settings) {
    boolean extension = ConfigurationHelper.getBoolean(EXTENSION, settings, true);
    Object listener = settings.get(CALL_LISTENER);
    if (listener != null && !(listener instanceof CallListener)) {
      throw new HibernateException(
          "the setting " + CALL_LISTENER + " wants a CallListener and is a " + listener.getClass());
    }
    return plain -> {
      PgToaster pgToaster = extension ? plain : plain.withoutExtension();
      return listener instanceof CallListener given ? pgToaster.withListener(given) : pgToaster;
    };
  }
}
