package io.pgtoaster.it.kit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;

/**
 * Operators and functions in a schema on the search path. PostgreSQL prefers them to its own
 * objects, unless a statement uses exactly the types of its own objects. Another role could create
 * such objects to run code with the rights of the library's user. Each trap reports its call in the
 * server's log.
 */
public final class Traps {
  /** Sets traps in all databases of all tests, for more types and all pairs of them. */
  static final boolean EVERYWHERE = Boolean.getBoolean("pgtoaster.test.traps");

  private static final String TYPES =
      "{name,text,varchar,bpchar,char,int2,int4,int8,numeric,oid,regclass,bool,bytea,json,jsonb,"
          + "jsonpath,uuid,timestamptz,interval,xid,_text,_int8,_int4,_jsonb,_name";
  private static final String MORE =
      ",float4,float8,regtype,regproc,xid8,pg_lsn,date,timestamp,tid,_oid,_bytea,_varchar,_numeric";
  private static final Pattern CALL = Pattern.compile("\\b([a-z_][a-z_0-9]*)\\(");
  private static final Pattern FIRED =
      Pattern.compile("LOG: +trap (.+?) in \\[(.*?)] at \\[(.*?)]\\n", Pattern.DOTALL);

  /** The start of a test's statement. */
  private static final String TEST = "/* test */ ";

  /** Statements of a test that could call a trap. */
  private static final Pattern QUERY =
      Pattern.compile("\\s*(SELECT|WITH|INSERT|UPDATE|DELETE|MERGE|DO|CREATE)\\b");

  private static final Pattern CALL_OF_OURS =
      Pattern.compile("\\b(?:pgtoaster|toaster)\\.[a-z_0-9]+\\(");
  private static final String PATH = ", shared";

  private static final Pattern OURS = Pattern.compile("\\b(pgtoaster|toaster)\\.|\\bstore_\\d+_");

  private static final Map<Path, Long> REPORTED = new HashMap<>();

  private Traps() {}

  /** A call of a trap. */
  public record Fired(String trap, String statement, String stack) {}

  /**
   * Creates traps in a database without any, and adds them to the search path of new sessions.
   * Returns the number of traps.
   */
  public static long set(Connection connection, boolean all) throws SQLException {
    if (!Sql.strings(connection, "SELECT 1 FROM pg_namespace WHERE nspname = 'shared'").isEmpty()) {
      return count(connection);
    }
    try (Statement s = connection.createStatement()) {
      s.execute(
          script("traps.sql")
              .replace("{types}", "'" + TYPES + (all ? MORE : "") + "}'")
              .replace("{functions}", "'{" + String.join(",", functions()) + "}'")
              .replace("{pairs}", String.valueOf(all)));
      s.execute(script("trap-routines.sql"));
      s.execute(
          "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET search_path = \"$user\", public,"
              + " shared', current_database()); END $$");
    }
    return count(connection);
  }

  private static long count(Connection connection) throws SQLException {
    return Sql.number(
        connection,
        "SELECT count(*) FROM pg_proc WHERE pronamespace = CAST('shared' AS regnamespace)");
  }

  private static String script(String name) {
    try (var in = Traps.class.getResourceAsStream(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns all names in our sources that look like function calls, though some are not. */
  private static Set<String> functions() {
    Set<String> names = new TreeSet<>();
    for (String module : List.of("core", "cli", "hibernate-module", "spring-boot-starter")) {
      try (Stream<Path> files = Files.walk(Path.of("..", module, "src", "main"))) {
        for (Path file : files.filter(f -> f.toString().matches(".*\\.(java|sql)")).toList()) {
          CALL.matcher(Files.readString(file)).results().forEach(call -> names.add(call.group(1)));
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return names;
  }

  /** Returns the size of a server's log. */
  public static long end(Path log) {
    try {
      return Files.size(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes a report for a test class with the traps that were called since the last report. */
  static void report(Server server, String test) {
    Path log = server.postgres().logFile();
    long since = REPORTED.getOrDefault(log, 0L);
    REPORTED.put(log, end(log));
    List<Fired> fired = fired(log, since);
    if (!fired.isEmpty()) {
      try {
        Path file = Files.createDirectories(Path.of("target", "traps")).resolve(test + ".txt");
        Files.writeString(
            file, fired.stream().map(Fired::toString).sorted().collect(Collectors.joining("\n\n")));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** Returns the traps that were called since then, except those called by a test's statement. */
  public static List<Fired> fired(Path log, long since) {
    try (FileChannel channel = FileChannel.open(log, StandardOpenOption.READ)) {
      channel.position(since);
      String text =
          new String(
              java.nio.channels.Channels.newInputStream(channel).readAllBytes(),
              StandardCharsets.UTF_8);
      return FIRED
          .matcher(text)
          .results()
          .map(found -> new Fired(found.group(1), found.group(2), found.group(3)))
          .filter(f -> !f.statement().startsWith(TEST) || OURS.matcher(f.stack()).find())
          .collect(Collectors.toSet())
          .stream()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Connections on which the test's statements call no traps. Only statements that call our
   * functions can call traps; a comment at their start marks them.
   */
  static DataSource marking(DataSource source) {
    return proxy(DataSource.class, source, null);
  }

  private static <T> T proxy(Class<T> type, T target, String prepared) {
    return type.cast(
        Proxy.newProxyInstance(
            Traps.class.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, args) -> {
              String sql =
                  args != null && args.length > 0 && args[0] instanceof String s ? s : prepared;
              boolean test = sql != null && sends(method.getName()) && isTest();
              if (test && args != null && CALL_OF_OURS.matcher(sql).find()) {
                args[0] = sql.startsWith("/* pgtoaster */") ? sql : TEST + sql;
              }
              boolean aside =
                  test
                      && target instanceof Statement
                      && QUERY.matcher(sql).lookingAt()
                      && !CALL_OF_OURS.matcher(sql).find();
              Object result =
                  aside
                      ? withoutTraps((Statement) target, () -> invoke(method, target, args))
                      : invoke(method, target, args);
              if (result instanceof Connection c && type == DataSource.class) {
                return proxy(Connection.class, c, null);
              }
              if (type == Connection.class && method.getName().equals("createStatement")) {
                return proxy(Statement.class, (Statement) result, null);
              }
              return test && method.getName().equals("prepareStatement")
                  ? proxy(PreparedStatement.class, (PreparedStatement) result, (String) args[0])
                  : result;
            }));
  }

  private static Object invoke(Method method, Object target, Object[] args) throws Throwable {
    try {
      return method.invoke(target, args);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private interface Call {
    Object run() throws Throwable;
  }

  private static Object withoutTraps(Statement statement, Call call) throws Throwable {
    Connection connection = statement.getConnection();
    String path;
    try {
      path = Sql.string(connection, "SHOW search_path");
    } catch (SQLException e) {
      return call.run();
    }
    if (!path.endsWith(PATH)) {
      return call.run();
    }
    Sql.run(connection, "SET search_path = " + path.substring(0, path.length() - PATH.length()));
    try {
      return call.run();
    } finally {
      try {
        Sql.run(connection, "SET search_path = " + path);
      } catch (SQLException ignored) {
        // The transaction has failed and its rollback resets the path, or the session has ended.
      }
    }
  }

  private static boolean sends(String method) {
    return method.startsWith("prepare")
        || method.startsWith("execute")
        || method.equals("addBatch");
  }

  private static boolean isTest() {
    return StackWalker.getInstance()
        .walk(
            frames ->
                frames
                    .map(StackWalker.StackFrame::getClassName)
                    .filter(c -> c.startsWith("io.pgtoaster.") || c.startsWith("org.hibernate."))
                    .filter(
                        c ->
                            !c.startsWith(Traps.class.getName())
                                && !c.startsWith(Recorder.class.getName()))
                    .findFirst())
        .filter(c -> c.startsWith("io.pgtoaster.it."))
        .isPresent();
  }
}
