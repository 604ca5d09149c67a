package io.pgtoaster.benchmarks.question;

import static io.pgtoaster.benchmarks.contender.Names.BYTEA;
import static io.pgtoaster.benchmarks.contender.Names.CHUNK_TABLES;
import static io.pgtoaster.benchmarks.contender.Names.JSONB_LZ4;

import io.pgtoaster.benchmarks.contender.Names;
import io.pgtoaster.benchmarks.contender.Storage;
import io.pgtoaster.benchmarks.contender.document.DocumentContender;
import io.pgtoaster.benchmarks.contender.document.DocumentSession;
import io.pgtoaster.benchmarks.server.Counters;
import io.pgtoaster.benchmarks.server.Database;
import io.pgtoaster.benchmarks.server.Kind;
import io.pgtoaster.benchmarks.server.Meter;
import io.pgtoaster.benchmarks.server.Sql;
import io.pgtoaster.benchmarks.trial.Cell;
import io.pgtoaster.benchmarks.trial.Checks;
import io.pgtoaster.benchmarks.trial.Subject;
import io.pgtoaster.benchmarks.trial.Trial;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Question 7, the table about the query time of large JSON values: each row has ten pairs of a key
 * and a value. Operation: count the rows that have a key.
 */
final class Types extends Trial {
  private static final String HSTORE = "hstore";
  private static final String JSON = "json";

  private final Cell cell;
  private final Random random;
  private final Database database;
  private final PreparedStatement count;

  Types(Cell cell) throws Exception {
    this.cell = cell;
    random = new Random(cell.get("storage").length());
    database = cell.contender().equals(CHUNK_TABLES) ? keyed() : stock();
    database.vacuum();
    // The driver needs two question marks for an operator with one.
    String having =
        switch (cell.contender()) {
          case JSON -> "data -> 'k3' IS NOT NULL";
          case BYTEA -> "substring(data FROM 1 FOR 2) = '\\x6b33'";
          default -> "data ?? 'k3'";
        };
    String sql = "SELECT count(*) FROM bench.docs WHERE " + having;
    Checks.plan(database.connection(), sql, "Seq Scan");
    count = database.connect().prepareStatement(sql);
  }

  static @Nullable String objection(Plan plan, Cell cell) {
    return cell.contender().equals(HSTORE) && !plan.available().hstore()
        ? "this server has no hstore"
        : plan.reading();
  }

  private Database keyed() throws SQLException {
    DocumentContender keyed = DocumentContender.open(CHUNK_TABLES, Storage.defaults());
    try (DocumentSession session = keyed.loader()) {
      for (int id = 0; id < cell.number("rows"); id++) {
        session.insert(id, json());
      }
    }
    return keyed.database();
  }

  private Database stock() throws SQLException {
    Database made = Database.create(Kind.PLAIN);
    String type = Names.who(cell.contender());
    if (type.equals(HSTORE)) {
      made.run("CREATE EXTENSION hstore");
    }
    made.run("CREATE TABLE bench.docs (id bigint PRIMARY KEY, data " + type + ")");
    String alter = "ALTER TABLE bench.docs ALTER COLUMN data SET ";
    if (cell.contender().equals(JSONB_LZ4)) {
      made.run(alter + "COMPRESSION lz4");
    }
    made.run(
        switch (cell.get("storage")) {
          case "inline plain" -> alter + "STORAGE PLAIN";
          case "inline compressed" -> alter + "STORAGE MAIN";
          case "TOAST plain" -> alter + "STORAGE EXTERNAL";
          default -> alter + "STORAGE EXTENDED";
        });
    String cast =
        switch (type) {
          case HSTORE ->
              "(SELECT hstore(array_agg(key), array_agg(value)) FROM json_each_text(?::json))";
          case BYTEA -> "convert_to('k3' || ?, 'UTF8')";
          default -> "?::" + type;
        };
    try (PreparedStatement s =
        made.connection().prepareStatement("INSERT INTO bench.docs VALUES (?, " + cast + ")")) {
      for (int id = 0; id < cell.number("rows"); id++) {
        s.setLong(1, id);
        s.setString(2, json());
        s.addBatch();
      }
      s.executeBatch();
    }
    return made;
  }

  private String json() {
    return IntStream.range(0, 10)
        .mapToObj(i -> "\"k" + i + "\": \"" + (i == 3 ? "yes" : value()) + "\"")
        .collect(Collectors.joining(", ", "{", "}"));
  }

  /** Returns one of nine values, as compressible as the storage needs. */
  private String value() {
    return switch (cell.get("storage")) {
      case "inline plain" -> Subject.noise(random, 20);
      case "inline compressed" -> Subject.noise(random, 10).repeat(50);
      case "TOAST plain" -> Subject.noise(random, 500);
      default -> Subject.noise(random, 400) + Subject.noise(random, 10).repeat(30);
    };
  }

  @Override
  public Database database() {
    return database;
  }

  @Override
  public boolean scans() {
    return true;
  }

  @Override
  public Operation operation(int thread) {
    return () -> Checks.equal("the count", (long) cell.number("rows"), Sql.number(count));
  }

  @Override
  public void end(Counters cost) throws Exception {
    Meter.add("disk", database.diskBytes(), "B");
  }
}
