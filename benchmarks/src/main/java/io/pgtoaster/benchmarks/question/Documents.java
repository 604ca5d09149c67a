package io.pgtoaster.benchmarks.question;

import io.pgtoaster.benchmarks.contender.DocumentStore;
import io.pgtoaster.column.DocumentPath;
import java.sql.SQLException;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;

/**
 * Questions 5 and 6, with a document in several rows. Operation: read or set one value by its path;
 * insert or append one element; insert a row with a document; put the document with one key
 * changed; or load it all as text. Writes are committed.
 */
final class Documents extends Trial {
  private final Cell cell;
  private final Subject subject;
  private final DocumentStore documents;
  private final DocumentStore.Session session;
  private final int rows;
  private final Random random;
  private int next;
  private long created;

  /** Checks that the last written value is stored. */
  private Operation written = () -> {};

  Documents(Cell cell) throws Exception {
    this(cell, DocumentStore.open(cell.contender()));
  }

  private Documents(Cell cell, DocumentStore documents) throws Exception {
    super(documents, documents.database(), !Set.of("get", "load").contains(cell.method()));
    this.cell = cell;
    this.documents = documents;
    subject = Subject.of(cell.get("set"), cell.number("elements"), cell.get("key"));
    rows = subject.rows();
    created = rows;
    random = new Random(rows);
    try (DocumentStore.Session loader = documents.loader()) {
      for (int id = 0; id < rows; id++) {
        loader.insert(id, subject.text());
      }
    }
    if (database != null) {
      database.run("UPDATE docs SET number = id");
    }
    documents.addOthers();
    session = documents.session();
    documents.settle();
    if (database != null) {
      database.checkPlan("SELECT data FROM docs WHERE id = 0", "Index Scan");
    }
    for (DocumentPath path : subject.paths()) {
      equal(
          path.toString(),
          subject.expected(path),
          Subject.withoutBlanks(session.get(rows - 1L, path)));
    }
  }

  /** Restores documents that have grown. */
  @Override
  void begin() throws Exception {
    if (cell.method().equals("append")) {
      try (DocumentStore.Session loader = documents.loader()) {
        for (int id = 0; id < rows; id++) {
          loader.put(id, subject.text());
        }
      }
    }
    documents.settle();
  }

  @Override
  Operation operation(int thread) throws Exception {
    return switch (cell.method()) {
      case "get" -> this::get;
      case "load" -> this::load;
      case "put" -> () -> write((row, path, value) -> session.put(row, withHeight(value)));
      case "create" -> this::create;
      case "append" -> this::append;
      case "set" -> () -> write(session::set);
      default -> () -> write(session::insertAt);
    };
  }

  /** Returns the next row. */
  private long row() {
    next++;
    return next % rows;
  }

  /** Returns the path for the current row. */
  private DocumentPath place() {
    return subject.paths().get(next % subject.paths().size());
  }

  private void get() throws SQLException {
    long row = row();
    boolean whole = Subject.LONG_KEYS.contains(cell.get("key"));
    if ((whole ? session.text(row, place()) : session.get(row, place())) == null) {
      throw new IllegalStateException("there is nothing at " + place());
    }
  }

  private interface Write {
    void at(long row, DocumentPath path, Object value) throws SQLException;
  }

  private void write(Write write) throws SQLException {
    long row = row();
    Object value = subject.values().apply(random);
    write.at(row, place(), value);
    written(row, place(), value);
  }

  private void append() throws SQLException {
    long row = row();
    Object element = subject.values().apply(random);
    session.append(row, place(), element);
    DocumentPath last = place().index(-1);
    if (element instanceof Map<?, ?> role) {
      written(row, last.key("title"), Objects.requireNonNull(role.get("title")));
    } else {
      written(row, last, element);
    }
  }

  /** Returns the document with a different short value. */
  private String withHeight(Object value) {
    String text = subject.text();
    int end = text.indexOf(" cm", text.lastIndexOf("\"height\""));
    return text.substring(0, end - 3) + value + text.substring(end + 3);
  }

  /** Inserts a row with a document under an unused key. */
  private void create() throws SQLException {
    long row = created++;
    Object value = subject.values().apply(random);
    session.insert(row, withHeight(value));
    written(row, place(), value);
  }

  private void load() throws SQLException {
    String text = session.load(row());
    if (text.length() < subject.text().length() / 2) {
      throw new IllegalStateException("the document is too short: " + text.length());
    }
  }

  private void written(long row, DocumentPath path, Object value) {
    written = () -> equal(path.toString(), value.toString(), session.get(row, path));
  }

  @Override
  void check() throws Exception {
    written.run();
  }
}
