package io.pgtoaster.benchmarks.harness;

import io.pgtoaster.benchmarks.server.Cores;
import io.pgtoaster.benchmarks.server.Kind;
import io.pgtoaster.benchmarks.server.MongoServer;
import io.pgtoaster.benchmarks.server.OwnServer;
import io.pgtoaster.benchmarks.server.Sql;
import io.pgtoaster.benchmarks.server.Target;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The environment of a run, without private names: no paths and no hosts. */
final class Environment {
  static final String COMMIT = "Commit";
  static final String ROUNDS = "Rounds";

  /** Follows the commit if there are uncommitted changes. */
  static final String CHANGED = ", with changes";

  private static final List<String> SETTINGS =
      Stream.concat(
              Stream.of("fsync", "full_page_writes", "wal_level", "jit", "debug_assertions"),
              OwnServer.SETTINGS.keySet().stream())
          .toList();

  private Environment() {}

  static Map<String, String> of(Target target, boolean own, String set, int rounds)
      throws IOException {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("Set", set.toLowerCase(Locale.ROOT));
    facts.put(ROUNDS, Integer.toString(rounds));
    facts.put("Date", LocalDate.now(ZoneOffset.UTC).toString());
    facts.put(COMMIT, commit());
    Map<String, String> settings = new TreeMap<>();
    try (Connection c = target.maintenance(Kind.PLAIN)) {
      facts.put("PostgreSQL", Sql.value(c, "SHOW server_version").replaceFirst(" .*", ""));
      for (String name : SETTINGS) {
        settings.put(name, Sql.value(c, "SHOW " + name));
      }
      settings.put(
          "synchronous_commit", target.durable() ? Sql.value(c, "SHOW synchronous_commit") : "off");
      facts.put(
          "Settings",
          settings.entrySet().stream()
              .map(e -> e.getKey() + " = " + e.getValue())
              .collect(Collectors.joining(", ")));
      facts.put("Driver", "pgjdbc " + c.getMetaData().getDriverVersion());
      facts.put(
          "Client",
          !own
              ? "not known where"
              : Cores.reaches(Sql.number(c, "SELECT pg_backend_pid()"))
                  ? "on the same machine, beside its session on one processor where an operation takes less than 5 ms"
                  : "on the same machine");
    } catch (SQLException e) {
      throw new IOException("cannot read the server's settings", e);
    }
    if (target.postgresProUrl() != null) {
      try (Connection c = target.maintenance(Kind.POSTGRES_PRO)) {
        facts.put("Postgres Pro", Sql.value(c, "SHOW server_version") + differing(c, settings));
      } catch (SQLException e) {
        throw new IOException("cannot read the version of Postgres Pro's server", e);
      }
    }
    if (target.mongodbUrl() != null) {
      try {
        facts.put(MongoServer.name(target), MongoServer.version(target));
      } catch (SQLException e) {
        throw new IOException(e.getMessage(), e);
      }
    }
    facts.put(
        "Java", System.getProperty("java.vm.name") + " " + System.getProperty("java.version"));
    facts.put("System", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    facts.put(
        "Processor",
        Runtime.getRuntime().availableProcessors()
            + " cores, "
            + proc("/proc/cpuinfo", "model name")
            + ", "
            + System.getProperty("os.arch"));
    facts.put("Memory", memory());
    facts.put("Disk", disk());
    return facts;
  }

  /** Returns the settings that differ from those of the main server; they should be the same. */
  private static String differing(Connection c, Map<String, String> settings) throws SQLException {
    StringBuilder text = new StringBuilder();
    for (String name : SETTINGS) {
      String value = Sql.value(c, "SHOW " + name);
      if (!value.equals(settings.get(name))) {
        text.append(", ").append(name).append(" = ").append(value);
      }
    }
    return text.toString();
  }

  /** Ignores changed results: they do not change what is measured. */
  private static String commit() {
    String head = output("git", "rev-parse", "--short=12", "HEAD");
    String changed =
        output(
            "git",
            "status",
            "--porcelain",
            "--untracked-files=no",
            "--",
            ":(top)",
            ":(top,exclude)benchmarks/results");
    return head.isEmpty() ? "not known" : head + (changed.isEmpty() ? "" : CHANGED);
  }

  private static String memory() {
    return ManagementFactory.getOperatingSystemMXBean()
            instanceof com.sun.management.OperatingSystemMXBean system
        ? Math.round(system.getTotalMemorySize() / 1e9) + " GB"
        : "not known";
  }

  /** The disk of the temporary directory, where a server that the run starts also has its data. */
  private static String disk() {
    try {
      FileStore store = Files.getFileStore(Path.of(System.getProperty("java.io.tmpdir")));
      return store.type() + ", " + Math.round(store.getTotalSpace() / 1e9) + " GB";
    } catch (IOException e) {
      return "not known";
    }
  }

  private static String proc(String file, String name) {
    try {
      return Files.readAllLines(Path.of(file)).stream()
          .filter(line -> line.startsWith(name))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse("not known");
    } catch (IOException e) {
      return "not known";
    }
  }

  private static String output(String... command) {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return process.waitFor() == 0 ? text.strip() : "";
    } catch (IOException e) {
      return "";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "";
    }
  }
}
