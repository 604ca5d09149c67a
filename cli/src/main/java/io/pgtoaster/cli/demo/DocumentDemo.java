package io.pgtoaster.cli.demo;

import io.pgtoaster.PgToaster;
import io.pgtoaster.jsonb.DocumentColumn;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** The same documents in a keyed column and in one of plain jsonb, by the same calls in turns. */
final class DocumentDemo {
  private static final int MOST_TURNS = 40;
  private static final int LEAST_TURNS = 3;

  /** A way that has taken so long has had turns enough. */
  private static final double ENOUGH_MILLIS = 800;

  private final Workspace workspace;
  private final Map<String, DocumentColumn> ways = new LinkedHashMap<>();
  private final Map<DocumentTask, Samples> millis = new LinkedHashMap<>();
  private final Map<DocumentTask, Samples> walBytes = new LinkedHashMap<>();

  DocumentDemo(Workspace workspace) {
    this.workspace = workspace;
  }

  static String label(long size) {
    return size >= 1_000_000 ? size / 1_000_000 + "MB" : size / 1_000 + "kB";
  }

  DocumentResult run(List<Long> sizes, Consumer<String> progress) throws SQLException, IOException {
    Map<String, String> titles = new LinkedHashMap<>();
    titles.put(DocumentResult.OWN, "pgtoaster, keyed");
    titles.put("jsonb", "plain jsonb");
    for (String way : titles.keySet()) {
      String table = "document_" + way;
      workspace.execute(
          "CREATE TABLE " + workspace.table(table) + " (name text PRIMARY KEY, doc jsonb)");
      if (way.equals(DocumentResult.OWN)) {
        workspace.attachDocuments(table, "doc");
      }
      ways.put(
          way,
          PgToaster.create(workspace.dataSource()).documents(workspace.schema(), table, "doc"));
    }
    fill(sizes, progress);
    for (DocumentTask task : DocumentTask.values()) {
      if (!sizes.isEmpty()) {
        progress.accept("documents: " + task.title());
        measure(task, sizes);
      }
    }
    return result(titles);
  }

  private void fill(List<Long> sizes, Consumer<String> progress) throws SQLException, IOException {
    for (long size : sizes) {
      progress.accept("documents of " + label(size));
      String text = new GeneratedDocument(size).text();
      for (Map.Entry<String, DocumentColumn> way : ways.entrySet()) {
        workspace.execute(
            "INSERT INTO "
                + workspace.table("document_" + way.getKey())
                + " VALUES ('"
                + label(size)
                + "')");
        way.getValue().put(label(size), text);
      }
      compare(label(size));
    }
    workspace.vacuum();
  }

  private void measure(DocumentTask task, List<Long> sizes) throws SQLException, IOException {
    Samples times = millis.computeIfAbsent(task, t -> new Samples());
    Samples logs = walBytes.computeIfAbsent(task, t -> new Samples());
    if (task.writes()) {
      workspace.checkpoint();
    }
    try (Connection observer = workspace.connect();
        PreparedStatement position = SmallAppends.position(observer)) {
      for (long size : sizes) {
        int events = new GeneratedDocument(size).events();
        Map<String, Double> spent = new LinkedHashMap<>();
        for (int turn = 0; turn <= MOST_TURNS; turn++) {
          for (Map.Entry<String, DocumentColumn> way : ways.entrySet()) {
            String name = way.getKey();
            if (turn > LEAST_TURNS && spent.getOrDefault(name, 0.0) > ENOUGH_MILLIS) {
              continue;
            }
            long before = SmallAppends.wal(position);
            long began = System.nanoTime();
            task.run(way.getValue(), label(size), events, turn);
            double took = (System.nanoTime() - began) / 1e6;
            long after = SmallAppends.wal(position);
            if (turn > 0) { // the first warms up, and logs whole pages after the checkpoint
              spent.merge(name, took, Double::sum);
              times.add(name, label(size), took);
              logs.add(name, label(size), (double) (after - before));
            }
          }
        }
      }
    }
  }

  /** Before anything is changed, both ways give back the same text. */
  private void compare(String document) throws IOException {
    long different =
        ways.values().stream().map(way -> way.text(document).orElse("")).distinct().count();
    DocumentTask.expect(different == 1);
  }

  private DocumentResult result(Map<String, String> titles) {
    Map<String, String> measures = new LinkedHashMap<>();
    Map<String, Map<String, Map<String, Double>>> times = new LinkedHashMap<>();
    Map<String, Map<String, Map<String, Double>>> logs = new LinkedHashMap<>();
    for (DocumentTask task : DocumentTask.values()) {
      measures.put(task.label(), task.title());
      if (millis.containsKey(task)) {
        times.put(task.label(), millis.getOrDefault(task, new Samples()).medians());
        if (task.writes()) {
          logs.put(task.label(), walBytes.getOrDefault(task, new Samples()).medians());
        }
      }
    }
    return new DocumentResult(titles, measures, times, logs);
  }
}
