package io.pgtoaster.benchmarks;

import io.pgtoaster.benchmarks.data.Payload;
import io.pgtoaster.blob.BlobOptions;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** What does it cost to append one byte to a value that is big already? */
final class OneByteQuestion implements Question {
  private static final byte[] ONE = {'x'};
  private static final int ROUNDS = 5;

  @Override
  public void answer(Settings settings, Report report) throws Exception {
    String only = settings.text("wal-level");
    for (String level : only == null ? List.of("replica", "logical") : List.of(only)) {
      try (Workbench bench = Workbench.open(settings, level)) {
        report.heading("one-byte: appends of 1 byte, each committed", bench.environment());
        new Measurement(
                report,
                bench,
                settings.number("appends", 2000),
                Math.min(ROUNDS, settings.number("rounds", ROUNDS)),
                settings.megabytes("middle-mb", 100),
                settings.megabytes("large-mb", 1024))
            .run();
      }
      if (settings.text("url") != null) {
        return;
      }
    }
  }

  private record Case(String name, Appender appender, int count) {}

  private record Measurement(
      Report report, Workbench bench, int appends, int rounds, long middle, long large) {
    private static final long SMALL = 1 << 20;

    void run() throws Exception {
      List<Case> cases = new ArrayList<>();
      for (long size : List.of(SMALL, middle, large)) {
        addCases(cases, size);
      }
      bench.execute("VACUUM ANALYZE");
      time(cases);
      logged(cases);
    }

    private static String name(String contender, long size) {
      return contender + ", " + (size >> 20) + " MB";
    }

    private void addCases(List<Case> cases, long size) throws SQLException, IOException {
      Payload payload = Payload.random();
      Writers writers = new Writers(bench, payload, size);
      BlobTable blob =
          bench
              .blobTable("blob" + (size >> 20), BlobOptions.defaults())
              .filled(payload.stream(0, size));
      cases.add(new Case(name("pgtoaster", size), Appender.pgtoaster(blob.own()), appends));
      cases.add(
          new Case(
              name("large object", size),
              Appender.largeObject(bench.connection(), writers.largeObject(512 << 10)),
              appends));
      if (size == middle) {
        cases.add(
            new Case(
                name("pgtoaster with token", size),
                Appender.pgtoasterWithToken(blob.own()),
                appends));
        long oid = writers.largeObject(512 << 10);
        cases.add(
            new Case(name("lo_put", size), Appender.loPut(bench.connection(), oid, size), appends));
      }
      // A bytea cannot have a gigabyte.
      if (size < large) {
        String table = "whole" + (size >> 20);
        bench.byteaTable(table);
        writers.bytea(table);
        cases.add(
            new Case(
                name("bytea ||", size),
                Appender.bytea(bench.connection(), table),
                size == SMALL ? 100 : 1));
      }
    }

    private void time(List<Case> cases) throws Exception {
      List<Contender> contenders = new ArrayList<>();
      for (Case c : cases) {
        contenders.add(
            Contender.latency(
                c.name(), Math.max(1, c.count() / rounds), () -> c.appender().append(ONE)));
      }
      bench.checkpoint();
      List<Result> results = new Rounds(rounds, 1, bench.cpu()).run(contenders);
      report.table("time of one append (median of a round)", "us", results);
      report.atLeast(
          name("bytea || / append", middle),
          Question.ratio(results, name("bytea ||", middle), name("pgtoaster", middle)),
          1000);
      report.atMost(
          "append at " + (large >> 20) + " MB / at 1 MB",
          Question.ratio(results, name("pgtoaster", large), name("pgtoaster", SMALL)),
          1.2);
    }

    private void logged(List<Case> cases) throws SQLException, InterruptedException {
      bench.withoutAutovacuum();
      List<Result> results = new ArrayList<>();
      for (Case c : cases) {
        bench.checkpoint();
        append(c, Math.min(c.count(), 100));
        long before = bench.walPosition();
        append(c, c.count());
        double each = (double) (bench.walPosition() - before) / c.count();
        results.add(Result.single(c.name(), each));
      }
      report.table("WAL of one append between checkpoints, mean", "bytes", results);
      for (long size : List.of(SMALL, middle, large)) {
        String name = name("pgtoaster", size);
        report.atMost("WAL, " + name, Question.of(results, name).median(), 350);
      }
    }

    private static void append(Case c, int count) throws SQLException {
      for (int i = 0; i < count; i++) {
        c.appender().append(ONE);
      }
    }
  }
}
