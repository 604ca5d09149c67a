package io.pgtoaster.cli.demo;

import io.pgtoaster.PgToaster;
import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.jsonb.DocumentColumn;
import io.pgtoaster.jsonb.JsonOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads and changes documents in a keyed column and as plain jsonb, with the same calls in turn.
 */
final class DocumentDemo {
  private static final List<Long> SIZES =
      List.of(1_000L, 10_000L, 100_000L, 1_000_000L, 8_000_000L);
  private static final DocumentPath EVENTS = DocumentPath.of("events");

  private final Workspace workspace;
  private final Map<String, DocumentColumn> ways = new LinkedHashMap<>();
  private final List<Long> sizes;

  DocumentDemo(Workspace workspace, long maxSize) throws SQLException {
    this.workspace = workspace;
    this.sizes = SIZES.stream().filter(size -> size <= maxSize).toList();
    add("pgtoaster, keyed", "document_keyed");
    workspace.attach(workspace.column("document_keyed", "doc"), JsonOptions.defaults());
    add("plain jsonb", "document_jsonb");
  }

  private void add(String title, String table) throws SQLException {
    workspace.execute(
        "CREATE TABLE " + workspace.table(table) + " (name text PRIMARY KEY, doc jsonb)");
    for (long size : sizes) {
      workspace.update("INSERT INTO " + workspace.table(table) + " VALUES (?)", Demo.label(size));
    }
    ways.put(
        title, PgToaster.create(workspace.dataSource()).documents(workspace.column(table, "doc")));
  }

  /** An operation on the document with a name and a number of events. */
  @FunctionalInterface
  private interface Task {
    boolean run(DocumentColumn documents, String name, int events, int turn);
  }

  void run(PrintWriter out, Consumer<String> progress) throws SQLException, IOException {
    for (long size : sizes) {
      progress.accept("documents of " + Demo.label(size));
      String text = new GeneratedDocument(size).text();
      ways.values().forEach(documents -> documents.putJson(Demo.label(size), text));
      long texts =
          ways.values().stream().map(d -> d.text(Demo.label(size)).orElse("")).distinct().count();
      expect(texts == 1);
    }
    workspace.vacuum();
    measure(
        out,
        progress,
        "read a short key",
        false,
        (d, name, n, i) -> d.at(name, "state").text().isPresent());
    measure(
        out,
        progress,
        "read one element of the array",
        false,
        (d, name, n, i) -> d.at(name, EVENTS.index((n / 2 + 7_919L * i) % n)).text().isPresent());
    measure(
        out,
        progress,
        "set a member of one element",
        true,
        (d, name, n, i) -> {
          d.at(name, EVENTS.index(n / 2).key("open")).set(i % 2 == 1);
          return true;
        });
    measure(
        out,
        progress,
        "append an element",
        true,
        (d, name, n, i) -> {
          d.at(name, EVENTS).append(JsonMapper.shared().readTree(GeneratedDocument.event(n + i)));
          return true;
        });
  }

  private void measure(
      PrintWriter out, Consumer<String> progress, String title, boolean writes, Task task)
      throws SQLException, IOException {
    if (sizes.isEmpty()) {
      return;
    }
    progress.accept("documents: " + title);
    workspace.checkpoint();
    RoundRobin turns = new RoundRobin(workspace);
    for (long size : sizes) {
      int events = new GeneratedDocument(size).events();
      Map<String, RoundRobin.Turn> all = new LinkedHashMap<>();
      ways.forEach(
          (way, documents) ->
              all.put(way, i -> expect(task.run(documents, Demo.label(size), events, i))));
      turns.take(Demo.label(size), all);
    }
    out.print("\na document: " + title + "\n" + turns.millis() + (writes ? turns.walBytes() : ""));
  }

  private static void expect(boolean done) throws IOException {
    if (!done) {
      throw new IOException("a document of the demonstration differs from the one that was stored");
    }
  }
}
