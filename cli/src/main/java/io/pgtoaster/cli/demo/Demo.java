package io.pgtoaster.cli.demo;

import io.pgtoaster.cli.connect.Database;
import io.pgtoaster.cli.terminal.ByteSize;
import java.io.IOException;
import java.nio.file.Files;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Runs the demonstration. */
public final class Demo {
  private final Database database;
  private final DemoOptions options;
  private final Consumer<String> progress;

  /**
   * Prepares a demonstration.
   *
   * @param database where to work
   * @param options what to do
   * @param progress takes a line at each step
   */
  public Demo(Database database, DemoOptions options, Consumer<String> progress) {
    this.database = database;
    this.options = options;
    this.progress = progress;
  }

  /**
   * Runs it, and leaves nothing behind.
   *
   * @return what was found
   * @throws SQLException if the database refuses
   * @throws IOException if the file cannot be read, or comes back other than it was
   */
  public DemoResult run() throws SQLException, IOException {
    long bytes = Files.size(options.file());
    DiskSpace disk = new DiskSpace(database.directory());
    disk.requireForTransfers(bytes, options.rounds());
    List<Long> sizes = disk.fitting(options.sizes(), bytes, options.rounds());
    try (Workspace workspace = new Workspace(database);
        PgToasterContender toaster = new PgToasterContender(workspace);
        LargeObjectContender largeObject = new LargeObjectContender(workspace);
        CopyContender copy = new CopyContender(workspace);
        ByteaContender bytea = new ByteaContender(workspace)) {
      List<Contender> contenders = List.of(toaster, largeObject, copy, bytea);
      progress.accept("append, follow and read back " + options.file());
      StreamResult stream = new StreamJob(toaster).run(options.file());
      Samples transfers =
          new Transfers(workspace, contenders).run(options.file(), options.rounds(), progress);
      SmallAppends small = new SmallAppends(workspace);
      small.run(List.of(toaster, largeObject, bytea), sizes, progress);
      Map<String, String> titles = new LinkedHashMap<>();
      contenders.forEach(c -> titles.put(c.name(), c.title()));
      return new DemoResult(
          stream,
          titles,
          transfers.medians(Transfers.APPEND),
          transfers.medians(Transfers.READ),
          small.millis().medians(),
          small.walBytes().medians(),
          new DocumentDemo(workspace).run(options.documentSizes(), progress),
          environment(workspace, bytes),
          notes(bytea, sizes, small));
    }
  }

  private Map<String, Object> environment(Workspace workspace, long bytes) throws SQLException {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("server_version", workspace.setting("server_version").orElse("unknown"));
    map.put("java", System.getProperty("java.vm.name") + " " + Runtime.version());
    map.put("os", System.getProperty("os.name") + " " + System.getProperty("os.arch"));
    map.put("cpus", Runtime.getRuntime().availableProcessors());
    for (String name :
        List.of("fsync", "synchronous_commit", "wal_level", "shared_buffers", "max_wal_size")) {
      map.put(name, workspace.setting(name).orElse("unknown"));
    }
    map.put("file", String.valueOf(options.file().getFileName()));
    map.put("bytes", bytes);
    map.put("rounds", options.rounds());
    return map;
  }

  private List<String> notes(GrowingContender bytea, List<Long> sizes, SmallAppends small) {
    List<String> notes = new ArrayList<>();
    notes.add(
        "MB is 1,000,000 bytes; medians of "
            + options.rounds()
            + " alternating rounds, each after a checkpoint; reads are second reads; client and server on the same machine"
            + (database.isEmbedded() ? "." : " or not, as your URL says."));
    notes.add(
        "pgtoaster commits every 4 MiB, so that followers see it grow; large object and COPY put"
            + " the whole file into one transaction, which spares them those commits.");
    notes.add(
        "COPY BINARY fills a table of the same shape, without lock, length or handle: it is the"
            + " yardstick for raw speed and cannot append to a value.");
    notes.add(
        "bytea || takes only the first "
            + ByteSize.format(bytea.writeLimit())
            + ", in pieces of 1 MiB: each piece rewrites the whole value, so its time grows with"
            + " the square of the size. Its storage is EXTERNAL, the fastest here.");
    notes.add(
        "One-byte appends: each its own transaction; medians after "
            + (small.isCheckpointed() ? "a checkpoint and " : "")
            + "one warm-up append, so that no full-page image is counted.");
    if (sizes.stream().anyMatch(size -> size > bytea.appendLimit())) {
      notes.add("bytea || is not asked to append to values above 100 MB: it would take too long.");
    }
    if (!options.documentSizes().isEmpty()) {
      notes.add(
          "Documents: medians of 3 to 40 turns, each its own transaction, after one that is not"
              + " counted and has the whole-page images; plain jsonb is a stock column with PostgreSQL's own functions;"
              + " both gave back the same text.");
    }
    List<Long> skipped = new ArrayList<>(options.sizes());
    skipped.removeAll(sizes);
    if (!skipped.isEmpty()) {
      notes.add(
          "Left out for want of disk space: values of "
              + String.join(", ", skipped.stream().map(SmallAppends::label).toList())
              + ".");
    }
    return notes;
  }
}
