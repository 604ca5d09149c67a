package io.pgtoaster.it.kit;

import io.pgtoaster.PgToaster;
import io.pgtoaster.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.postgresql.ds.PGSimpleDataSource;

/** A running server, on which each test class creates databases. */
public final class Server {
  private static final AtomicInteger DATABASES = new AtomicInteger();
  private static final String PREFIX = "pgtoaster_test_";

  /** The version of the catalog in {@link #installedOlder()}. */
  public static final int OLDER_VERSION = 13;

  /** Owns the catalog of databases {@linkplain #installedByRole() installed by a role}. */
  static final String OWNER = PREFIX + "owner";

  private final EmbeddedPostgres postgres;
  private final int version;
  private final String host;
  private final int port;
  private final String user;
  private final String password;
  private final Set<String> made = ConcurrentHashMap.newKeySet();
  private Database installed;
  private Database installedByRole;
  private Database installedOlder;
  private String trapped;
  private Connection passwords;
  private String citusDatabase;

  public Server(EmbeddedPostgres postgres, int version) {
    this(postgres, version, "127.0.0.1", postgres.port(), postgres.user(), postgres.password());
    // Drivers before 42.7.5 require 4,096 iterations.
    if (!Boolean.getBoolean("pgtoaster.test.iterations")) {
      makeConnectionsQuick();
    }
  }

  private Server(
      EmbeddedPostgres postgres, int version, String host, int port, String user, String password) {
    this.postgres = postgres;
    this.version = version;
    this.host = host;
    this.port = port;
    this.user = user;
    this.password = password;
  }

  /** Uses Postgres Pro's server at a JDBC URL; drops the databases of earlier tests there. */
  static Server given(String url) {
    PGSimpleDataSource at = new PGSimpleDataSource();
    at.setURL(url);
    Server server =
        new Server(
            null,
            PostgresServers.POSTGRES_PRO,
            at.getServerNames()[0],
            at.getPortNumbers()[0],
            at.getUser(),
            at.getPassword());
    try (Connection c = server.connect("postgres", server.user)) {
      String left = "SELECT datname FROM pg_database WHERE datname ^@ '" + PREFIX + "'";
      for (String name : Sql.strings(c, left)) {
        Sql.run(c, "DROP DATABASE " + name + " WITH (FORCE)");
      }
    } catch (SQLException e) {
      throw new AssertionError("cannot use the server at " + url, e);
    }
    return server;
  }

  /** Uses the Citus coordinator at a JDBC URL; each test class gets a schema in its database. */
  static Server citus(String url) {
    PGSimpleDataSource at = new PGSimpleDataSource();
    at.setURL(url);
    Server server =
        new Server(
            null,
            PostgresServers.CITUS,
            at.getServerNames()[0],
            at.getPortNumbers()[0],
            at.getUser(),
            at.getPassword());
    server.citusDatabase = at.getDatabaseName();
    return server;
  }

  public int version() {
    return version;
  }

  /** The server that was started here; not available for Postgres Pro's. */
  public EmbeddedPostgres postgres() {
    return postgres;
  }

  int port() {
    return port;
  }

  String user() {
    return user;
  }

  /** Creates an empty database. */
  public Database database() {
    return database(Traps.EVERYWHERE ? trapped() : "template0");
  }

  /** Creates a database with the catalog. */
  public Database installed() {
    if (citusDatabase != null) {
      return schema();
    }
    synchronized (this) {
      if (installed == null) {
        installed = template();
        PgToaster.create(installed.dataSource()).catalog().install();
      }
    }
    return database(installed.name());
  }

  /** Creates a database with the catalog of {@link #OLDER_VERSION}, which the library upgrades. */
  public Database installedOlder() {
    synchronized (this) {
      if (installedOlder == null) {
        installedOlder = template();
        try (Connection c = installedOlder.connect()) {
          c.setAutoCommit(false);
          Sql.run(c, olderCatalog());
          c.commit();
        } catch (SQLException e) {
          throw new AssertionError("cannot install catalog " + OLDER_VERSION, e);
        }
      }
    }
    return database(installedOlder.name());
  }

  public static String olderCatalog() {
    String name = "/io/pgtoaster/it/catalog/catalog-" + OLDER_VERSION + ".sql";
    try (InputStream in = Server.class.getResourceAsStream(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Creates a database with a catalog installed by {@link #OWNER}, which is not a superuser. */
  Database installedByRole() {
    synchronized (this) {
      if (installedByRole == null) {
        installedByRole = template();
        try (Connection c = connect(installedByRole.name(), user)) {
          Sql.run(
              c,
              "CREATE ROLE " + OWNER + " LOGIN",
              "GRANT CREATE ON DATABASE " + installedByRole.name() + " TO " + OWNER,
              "GRANT CREATE ON SCHEMA public TO " + OWNER);
        } catch (SQLException e) {
          throw new AssertionError("cannot create a role on " + this, e);
        }
        PgToaster.create(installedByRole.dataSource(OWNER)).catalog().install();
      }
    }
    return copy(installedByRole);
  }

  /** Creates a database as a template for others; it stays until the server stops. */
  private Database template() {
    Database template = database();
    keep(template);
    return template;
  }

  /** Keeps a database until the server stops. */
  void keep(Database database) {
    made.remove(database.name());
  }

  /** Copies a database without sessions, and its roles' right to create schemas. */
  Database copy(Database template) {
    Database copy = database(template.name());
    // CREATE DATABASE does not copy the privileges on the database.
    String grants =
        "SELECT format('GRANT CREATE ON DATABASE %I TO %s', '"
            + copy.name()
            + "', a.grantee::regrole) FROM pg_database d, aclexplode(d.datacl) a"
            + " WHERE a.privilege_type = 'CREATE' AND a.grantee <> d.datdba AND d.datname = '"
            + template.name()
            + "'";
    try (Connection c = connect("postgres", user)) {
      Sql.run(c, Sql.strings(c, grants).toArray(String[]::new));
    } catch (SQLException e) {
      throw new AssertionError("cannot grant privileges on " + copy.name(), e);
    }
    return copy;
  }

  /** Drops a database, and roles of which it had the objects. Resets other roles. */
  void drop(Database database, Collection<String> roles, Collection<String> reset) {
    made.remove(database.name());
    try (Connection c = connect("postgres", user)) {
      Sql.run(c, "DROP DATABASE " + database.name() + " WITH (FORCE)");
      for (String role : roles) {
        Sql.run(c, "DROP OWNED BY " + role, "DROP ROLE " + role);
      }
      for (String role : reset) {
        Sql.run(c, "ALTER ROLE " + role + " NOSUPERUSER NOBYPASSRLS NOCREATEROLE");
        Sql.run(c, "ALTER ROLE " + role + " RESET ALL");
        String members =
            "SELECT format('REVOKE %s FROM %s', roleid::regrole, member::regrole)"
                + " FROM pg_auth_members WHERE '"
                + role
                + "'::regrole IN (roleid, member)";
        Sql.run(c, Sql.strings(c, members).toArray(String[]::new));
      }
    } catch (SQLException e) {
      throw new AssertionError("cannot drop " + database.name(), e);
    }
  }

  private Database schema() {
    String name = PREFIX + ProcessHandle.current().pid() + "_" + DATABASES.incrementAndGet();
    try (Connection c = connect(citusDatabase, user)) {
      PgToaster.on(c).catalog().install();
      Sql.run(c, "CREATE SCHEMA " + name);
    } catch (SQLException e) {
      throw new AssertionError("cannot create a schema on " + this, e);
    }
    made.add(name);
    return new Database(this, citusDatabase, name);
  }

  /** Creates an empty database with an encoding of the server. */
  public Database databaseIn(String encoding) {
    return create("template0 ENCODING '" + encoding + "' LOCALE 'C'");
  }

  private Database database(String template) {
    Database database = create(template + " ENCODING 'UTF8'");
    if (Traps.EVERYWHERE) {
      database.set("search_path", "\"$user\", public, shared");
    }
    return database;
  }

  /** Returns the name of a database that contains only traps. */
  private synchronized String trapped() {
    if (trapped == null) {
      Database database = create("template0 ENCODING 'UTF8'");
      made.remove(database.name());
      try (Connection c = database.connect()) {
        Traps.set(c, true);
      } catch (SQLException e) {
        throw new AssertionError("cannot set traps on " + this, e);
      }
      trapped = database.name();
    }
    return trapped;
  }

  private Database create(String template) {
    String name = PREFIX + DATABASES.incrementAndGet();
    try (Connection c = connect("postgres", user)) {
      // Copying files costs half as much as copying through WAL.
      String strategy = postgres == null ? "" : " STRATEGY file_copy";
      Sql.run(c, "CREATE DATABASE " + name + " TEMPLATE " + template + strategy);
    } catch (SQLException e) {
      throw new AssertionError("cannot create a database on " + this, e);
    }
    made.add(name);
    return new Database(this, name);
  }

  /** Drops the databases of a test class that has ended. */
  synchronized void dropDatabases(String test) {
    if (Traps.EVERYWHERE) {
      Traps.report(this, test);
    }
    try (Connection c = connect(citusDatabase == null ? "postgres" : citusDatabase, user)) {
      for (String name : made) {
        Sql.run(
            c,
            citusDatabase == null
                ? "DROP DATABASE " + name + " WITH (FORCE)"
                : "DROP SCHEMA " + name + " CASCADE");
      }
    } catch (SQLException e) {
      throw new AssertionError("cannot drop the databases of a test class on " + this, e);
    }
    made.clear();
  }

  public boolean hasLz4() {
    try (Connection c = connect("postgres", user)) {
      return Sql.string(
              c, "SELECT enumvals FROM pg_settings WHERE name = 'default_toast_compression'")
          .contains("lz4");
    } catch (SQLException e) {
      throw new AssertionError("cannot query " + this + " for lz4", e);
    }
  }

  public Connection connect(String database, String user) throws SQLException {
    return dataSource(database, user, port).getConnection();
  }

  /** Unpooled connections, possibly through another port. */
  PGSimpleDataSource dataSource(String database, String user, int port) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setServerNames(new String[] {host});
    source.setPortNumbers(new int[] {port});
    source.setDatabaseName(database);
    source.setUser(user);
    source.setPassword(password);
    if (postgres != null && !user.equals(this.user)) {
      givePassword(user);
    }
    source.setSslMode("disable");
    source.setGssEncMode("disable");
    return source;
  }

  private void makeConnectionsQuick() {
    try (Connection c = connect("postgres", user)) {
      Sql.run(
          c,
          """
          DO $do$ BEGIN IF NOT pg_is_in_recovery() THEN ALTER ROLE "%s" PASSWORD '%s'; END IF; END $do$
          """
              .formatted(user, QuickScram.verifier(password)));
    } catch (SQLException e) {
      throw new AssertionError("cannot use the server " + postgres, e);
    }
  }

  /** Gives the superuser's password to a role that a test has created without one. */
  private synchronized void givePassword(String role) {
    String statement =
        "SELECT format('ALTER ROLE %I PASSWORD %L', r.rolname, s.rolpassword)"
            + " FROM pg_authid r, pg_authid s"
            + " WHERE s.rolname = current_user AND r.rolpassword IS NULL AND r.rolname = '";
    try {
      // Every connection of a role comes here, and connecting takes longer than the query.
      if (passwords == null || !passwords.isValid(5)) {
        passwords = connect("postgres", user);
      }
      for (String alter : Sql.strings(passwords, statement + role.replace("'", "''") + "'")) {
        Sql.run(passwords, alter);
      }
    } catch (SQLException e) {
      throw new AssertionError("cannot change the role " + role + " a password", e);
    }
  }

  @Override
  public String toString() {
    return PostgresServers.name(version);
  }
}
