package io.pgtoaster.benchmarks.question;

import io.pgtoaster.benchmarks.contender.DocumentStore;
import io.pgtoaster.benchmarks.contender.StoreSession;
import io.pgtoaster.benchmarks.server.Database;
import io.pgtoaster.column.DocumentPath;
import java.sql.SQLException;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Questions 5 and 6, with a document in several rows. Operation: read or set one value by its path;
 * insert or append one element; insert a row with a document; put the document with one key
 * changed; or load it all as text. Writes are committed.
 */
final class Documents extends Trial {
  private final Cell cell;
  private final Subject subject;
  private final DocumentStore documents;
  private final StoreSession session;
  private final int rows;
  private final Random random;
  private int next;
  private long created;
  private long writtenRow = -1;
  private DocumentPath writtenPath = DocumentPath.root();
  private Object writtenValue = "";

  Documents(Cell cell) throws Exception {
    this.cell = cell;
    subject = Subject.of(cell.get("set"), cell.number("elements"), cell.get("key"));
    rows = subject.rows();
    created = rows;
    random = new Random(rows);
    documents = DocumentStore.open(cell.contender());
    try (StoreSession loader = documents.loader()) {
      for (int id = 0; id < rows; id++) {
        loader.insert(id, subject.text());
      }
    }
    Database database = documents.database();
    if (database != null) {
      database.run("UPDATE docs SET number = id");
    }
    documents.addOthers();
    session = documents.session();
    documents.settle();
    if (database != null) {
      Checks.plan(database.connection(), "SELECT data FROM docs WHERE id = 0", "Index Scan");
    }
    for (DocumentPath path : subject.paths()) {
      Checks.equal(
          path.toString(),
          subject.expected(path),
          Subject.withoutBlanks(session.get(rows - 1L, path)));
    }
  }

  @Override
  public @Nullable Database database() {
    return documents.database();
  }

  /** Restores documents that have grown. */
  @Override
  public void begin() throws Exception {
    if (cell.method().equals("append")) {
      try (StoreSession loader = documents.loader()) {
        for (int id = 0; id < rows; id++) {
          loader.put(id, subject.text());
        }
      }
    }
    documents.settle();
  }

  @Override
  public boolean writes() {
    return !cell.method().equals("get") && !cell.method().equals("load");
  }

  @Override
  public Operation operation(int thread) throws Exception {
    return switch (cell.method()) {
      case "get" -> this::get;
      case "load" -> this::load;
      case "put" -> this::put;
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

  /** Puts the whole document with another short value. */
  private void put() throws SQLException {
    long row = row();
    Object value = subject.values().apply(random);
    session.put(row, withHeight(value));
    written(row, place(), value);
  }

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
    writtenRow = row;
    writtenPath = path;
    writtenValue = value;
  }

  /** Checks that the last written value is stored. */
  @Override
  public void check() throws Exception {
    if (writtenRow >= 0) {
      Checks.equal(
          writtenPath.toString(), writtenValue.toString(), session.get(writtenRow, writtenPath));
    }
  }

  @Override
  public void close() throws Exception {
    try (documents) {
      check();
    }
  }
}
