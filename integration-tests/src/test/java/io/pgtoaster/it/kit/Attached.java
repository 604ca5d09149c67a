package io.pgtoaster.it.kit;

import io.pgtoaster.Catalog;
import io.pgtoaster.PgToaster;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.ToIntFunction;

/**
 * A database with the table {@code item} and an attached column. If tests of a class use the same
 * column, they get copies of one database, because attaching takes twice as long as copying.
 *
 * @param store the number of the column's store, or 0
 */
record Attached(Database database, int store) {
  private record Key(Setting setting, ColumnSpec spec) {}

  private static final Set<Key> USED = new HashSet<>();
  private static final Map<Key, Attached> TEMPLATES = new HashMap<>();

  /**
   * Returns a new database.
   *
   * @param options attaches the column if its toaster is not known to SQL
   */
  static synchronized Attached of(
      Setting setting, ColumnSpec spec, ToIntFunction<Catalog> options) {
    // Connections do not change the database.
    Setting same =
        new Setting(setting.version(), true, setting.extension(), false, setting.transparent());
    Key key = new Key(same, spec);
    boolean copies = spec.hasStore() && !spec.upgraded() && setting.version() > 0;
    // Most contracts use one database for the whole class.
    if (!copies || USED.add(key)) {
      return create(setting, spec, options);
    }
    Attached template = TEMPLATES.get(key);
    if (template == null) {
      template = create(setting, spec, options);
      try {
        template.database.close();
      } catch (SQLException e) {
        throw new AssertionError(e);
      }
      TEMPLATES.put(key, template);
    }
    Database copy = template.database.server().copy(template.database);
    setting.configure(copy);
    if (setting.unusual()) {
      UnusualSettings.set(copy);
    }
    return new Attached(copy, template.store);
  }

  /** Called when the databases of a test class are dropped. */
  static synchronized void forget() {
    USED.clear();
    TEMPLATES.clear();
  }

  private static Attached create(Setting setting, ColumnSpec spec, ToIntFunction<Catalog> options) {
    Database database =
        spec.upgraded()
            ? PostgresServers.shared(setting.version()).installedOlder()
            : setting.installed();
    if (setting.version() == PostgresServers.POSTGRES_PRO) {
      database.run(
          "CREATE EXTENSION bytea_toaster",
          "CREATE EXTENSION jsonb_toaster",
          "ALTER DATABASE " + database.name() + " SET pgtoaster.postgrespro = on");
    }
    if (setting.unusual()) {
      UnusualSettings.set(database);
    }
    database.run(spec.createTable());
    int store = spec.options() == null ? 0 : attach(database, spec, options);
    if (spec.upgraded()) {
      PgToaster.create(database.dataSource()).catalog().install();
      setting.prepare(database);
    }
    return new Attached(database, store);
  }

  private static int attach(Database database, ColumnSpec spec, ToIntFunction<Catalog> byJava) {
    if (!spec.hasStore() && !spec.toaster().equals("default")) {
      return byJava.applyAsInt(PgToaster.create(database.dataSource()).catalog());
    }
    return (int)
        database.number(
            "SELECT pgtoaster.attach('item'::regclass, '%s', '%s', '%s'::jsonb)"
                .formatted(spec.name(), spec.toaster(), spec.options()));
  }
}
