package io.pgtoaster.hibernate;

import io.pgtoaster.PgToaster;
import io.pgtoaster.column.CallListener;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.hibernate.HibernateException;
import org.hibernate.internal.util.config.ConfigurationHelper;

/** Settings of a session factory that pgtoaster reads. All are optional. */
public final class PgToasterSettings {
  /**
   * A {@link CallListener} that is notified of every call of entity attributes. None by default.
   */
  public static final String CALL_LISTENER = "pgtoaster.call_listener";

  /**
   * Whether entity attributes call the functions of the server extension if it is installed: true
   * (the default) or false.
   */
  public static final String EXTENSION = "pgtoaster.extension";

  /**
   * Converts objects of the application's classes to documents and back: a {@link
   * tools.jackson.databind.json.JsonMapper}, or a {@link java.util.function.Supplier} of one; as an
   * instance, a class or a class name. The default is the mapper that Hibernate's {@code
   * hibernate.type.json_format_mapper} names. If that is not set, it is a plain mapper that keeps
   * all digits of numbers.
   */
  public static final String JSON_MAPPER = "pgtoaster.json_mapper";

  /**
   * A {@link tools.jackson.databind.json.JsonMapper} that replaces the plain mapper if neither
   * {@link #JSON_MAPPER} nor Hibernate's setting names one. In Spring Boot applications this is
   * Spring Boot's mapper.
   */
  public static final String DEFAULT_JSON_MAPPER = "pgtoaster.default_json_mapper";

  private PgToasterSettings() {}

  /** Returns a function that applies the settings to an entry point. */
  static UnaryOperator<PgToaster> pgToaster(Map<String, Object> settings) {
    boolean extension = ConfigurationHelper.getBoolean(EXTENSION, settings, true);
    Object listener = settings.get(CALL_LISTENER);
    if (listener != null && !(listener instanceof CallListener)) {
      throw new HibernateException(
          "the setting "
              + CALL_LISTENER
              + " must be a CallListener, but is a "
              + listener.getClass());
    }
    return plain -> {
      PgToaster pgToaster = extension ? plain : plain.withoutExtension();
      return listener instanceof CallListener given ? pgToaster.withListener(given) : pgToaster;
    };
  }
}
