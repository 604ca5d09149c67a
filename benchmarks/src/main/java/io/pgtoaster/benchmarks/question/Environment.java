package io.pgtoaster.benchmarks.question;

import io.pgtoaster.benchmarks.server.MongoServer;
import io.pgtoaster.benchmarks.server.Sql;
import io.pgtoaster.benchmarks.server.Target;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The environment of a run, without private names: no paths and no hosts. */
final class Environment {
  static final String COMMIT = "Commit";

  /** Follows the commit if there are uncommitted changes. */
  static final String CHANGED = ", with changes";

  private static final String[] SETTINGS = {
    "autovacuum",
    "checkpoint_timeout",
    "debug_assertions",
    "fsync",
    "full_page_writes",
    "jit",
    "max_connections",
    "max_parallel_workers_per_gather",
    "max_wal_size",
    "shared_buffers",
    "synchronous_commit",
    "wal_level"
  };

  private Environment() {}

  static Map<String, String> of(Target target, String set, int rounds)
      throws IOException, SQLException, InterruptedException {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("Set", set);
    facts.put("Rounds", Integer.toString(rounds));
    facts.put("Date", LocalDate.now(ZoneOffset.UTC).toString());
    String changes =
        git("status", "--porcelain", "--untracked-files=no", ":(top,exclude)benchmarks/results");
    facts.put(COMMIT, git("rev-parse", "--short=12", "HEAD") + (changes.isEmpty() ? "" : CHANGED));
    try (Connection c = target.maintenance()) {
      facts.put("PostgreSQL", Sql.value(c, "SHOW server_version").replaceFirst(" .*", ""));
      facts.put(
          "Settings",
          Sql.value(
              c,
              "SELECT string_agg(name || ' = ' || current_setting(name), ', ' ORDER BY name)"
                  + " FROM pg_settings WHERE name IN ('%s')"
                      .formatted(String.join("', '", SETTINGS))));
      facts.put("Driver", "pgjdbc " + c.getMetaData().getDriverVersion());
    }
    if (target.mongodbUrl() != null) {
      facts.put(MongoServer.name(target), MongoServer.version(target));
    }
    facts.put(
        "Java", System.getProperty("java.vm.name") + " " + System.getProperty("java.version"));
    facts.put("System", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    int cores = Runtime.getRuntime().availableProcessors();
    facts.put("Processor", cores + " cores, " + processor() + ", " + System.getProperty("os.arch"));
    if (ManagementFactory.getOperatingSystemMXBean()
        instanceof com.sun.management.OperatingSystemMXBean system) {
      facts.put("Memory", Math.round(system.getTotalMemorySize() / 1e9) + " GB");
    }
    return facts;
  }

  private static String processor() throws IOException {
    Path file = Path.of("/proc/cpuinfo");
    return (Files.exists(file) ? Files.readAllLines(file) : List.<String>of())
        .stream()
            .filter(line -> line.startsWith("model name"))
            .map(line -> line.substring(line.indexOf(':') + 1).strip())
            .findFirst()
            .orElse("not known");
  }

  private static String git(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("git"));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return process.waitFor() == 0 ? text.strip() : "not known";
  }
}
