package io.pgtoaster.benchmarks.question;

import io.pgtoaster.benchmarks.contender.DocumentSet;
import io.pgtoaster.benchmarks.contender.DocumentStore;
import io.pgtoaster.benchmarks.contender.PostgresDocuments;
import io.pgtoaster.benchmarks.server.Sql;
import io.pgtoaster.column.DocumentPath;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Random;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The parts of questions 5 and 7 about tables of documents with a different budget or compression.
 * Operation: read a key of all documents by one query, or one string of one document.
 */
final class Tables extends Trial {
  private static final int ACTORS = 500;
  private static final int FEW = 8;
  private static final int MEMBERS = 20;
  private static final int MEMBER = 150;

  private final boolean scans;
  private final PostgresDocuments documents;
  private final int count;
  private final Function<Random, DocumentPath> paths;
  private final String query;
  private final long expected;

  Tables(Cell cell) throws Exception {
    this(cell, contender(cell));
  }

  private static PostgresDocuments contender(Cell cell) throws SQLException {
    int budget = cell.get("budget").isEmpty() ? 0 : cell.number("budget");
    return PostgresDocuments.open(cell.contender(), cell.get("compression"), budget);
  }

  private Tables(Cell cell, PostgresDocuments documents) throws Exception {
    super(documents, documents.database(), false);
    this.documents = documents;
    scans = !cell.method().equals("get") && !cell.method().equals("titles");
    IntFunction<String> text;
    String key = "id";
    if (cell.type().equals("Compression")) {
      DocumentSet actors = DocumentSet.actor(0, 300);
      count = scans ? ACTORS : FEW;
      text = id -> actors.text();
      key = "height";
      paths = actors::place;
    } else {
      count = cell.number("rows");
      Random random = new Random(count);
      text = cell.type().equals("Budgets") ? id -> members(id, random) : post(cell, random);
      paths = r -> DocumentPath.of("m" + r.nextInt(MEMBERS));
    }
    try (DocumentStore.Session loader = documents.loader()) {
      for (int id = 0; id < count; id++) {
        loader.insert(id, text.apply(id));
      }
    }
    if (cell.method().equals("titles")) {
      documents.addOthers();
    }
    documents.settle();
    boolean sums = cell.type().equals("Budgets");
    query =
        sums
            ? "SELECT sum((data ->> 'id')::bigint)::bigint FROM docs"
            : "SELECT count(data ->> '" + key + "') FROM docs";
    expected = sums ? (long) count * (count - 1) / 2 : count;
    documents.database().checkPlan(query, "Seq Scan");
  }

  private static IntFunction<String> post(Cell cell, Random random) {
    int size = (int) (Double.parseDouble(cell.get("body").replace("KB", "")) * 1000);
    return id ->
        "{\"id\": %d, \"body\": \"%s\", \"score\": %d}"
            .formatted(id, Subject.noise(random, size), id);
  }

  /** Returns a document with a short key and members of the same size. */
  private static String members(int id, Random random) {
    return IntStream.range(0, MEMBERS)
        .mapToObj(i -> "\"m" + i + "\": \"" + Subject.noise(random, MEMBER) + "\"")
        .collect(Collectors.joining(", ", "{\"id\": " + id + ", ", "}"));
  }

  @Override
  Operation operation(int thread) throws Exception {
    if (scans) {
      Connection session = documents.database().connect();
      return () -> equal("the result", expected, Sql.get(session, Long.class, query));
    }
    DocumentStore.Session session = documents.session();
    Random random = new Random(thread);
    return () -> {
      DocumentPath path = paths.apply(random);
      if (session.get(random.nextInt(count), path) == null) {
        throw new IllegalStateException("there is nothing at " + path);
      }
    };
  }
}
