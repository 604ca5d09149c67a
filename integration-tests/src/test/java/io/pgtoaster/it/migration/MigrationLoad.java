package io.pgtoaster.it.migration;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.error.BlobChangedException;
import io.pgtoaster.error.PgToasterException;
import io.pgtoaster.it.kit.Bytes;
import io.pgtoaster.it.kit.Database;
import io.pgtoaster.it.kit.Sql;
import io.pgtoaster.it.kit.Wait;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import javax.sql.DataSource;

/**
 * An application that reads, inserts, changes and deletes content of five tables during the
 * migration of their columns. The table {@code ledger} has a hash of each row's content, written in
 * the same transaction. It reveals content that a migration loses or mixes up. The application uses
 * {@code bytea}, {@code text} and {@code jsonb} columns through the library all the time, without
 * noticing the migration. It uses large objects and {@code json} in plain SQL until the columns are
 * exchanged.
 */
final class MigrationLoad implements AutoCloseable {
  /** Larger rows are only read in part, and their content does not change. */
  static final int SMALL = 200_000;

  private static final int CONNECTIONS = 4;
  private static final int FIRST_LARGE = 1_000_000;
  private static final int FIRST_INSERTED = 2_000_000;

  /** The stored values: their type, percentage of all bytes, and range of sizes. */
  enum Kind {
    RECORDING("bytea", 40, 10_000, 150_000),
    SCAN("oid", 20, 20_000, 200_000),
    PAGE("text", 10, 1_000, 100_000),
    EVENT("json", 10, 500, 60_000),
    PERSON("jsonb", 20, 500, 150_000);

    final String type;
    final int share;
    final int least;
    final int most;

    Kind(String type, int share, int least, int most) {
      this.type = type;
      this.share = share;
      this.least = least;
      this.most = most;
    }

    String table() {
      return name().toLowerCase(Locale.ROOT);
    }

    boolean documents() {
      return type.startsWith("json");
    }

    /** Whether the application uses the library even while the column is not attached. */
    boolean always() {
      return !type.equals("oid") && !type.equals("json");
    }
  }

  /** The action of a call. */
  enum Verb {
    READ,
    CHANGE,
    TOUCH,
    INSERT,
    DELETE
  }

  private final DataSource pool;
  private final PgToaster toaster;
  private final long seed;
  private final Map<Kind, Integer> rows = new ConcurrentHashMap<>();
  private final Map<Kind, Boolean> attached = new ConcurrentHashMap<>();
  private final Map<Kind, ReadWriteLock> exchange = new EnumMap<>(Kind.class);
  private final Map<String, ConcurrentLinkedQueue<Long>> nanos = new ConcurrentHashMap<>();
  private final AtomicInteger repeated = new AtomicInteger();
  private final AtomicLong inserted = new AtomicLong(FIRST_INSERTED);
  private final List<Future<Long>> clients = new ArrayList<>();
  private volatile String label = "";
  private volatile boolean ended;

  MigrationLoad(DataSource pool, long seed) {
    this.pool = pool;
    this.toaster = PgToaster.create(pool);
    this.seed = seed;
    for (Kind kind : Kind.values()) {
      attached.put(kind, false);
      exchange.put(kind, new ReentrantReadWriteLock());
    }
  }

  /** Creates the tables and fills them with about this many bytes; returns the actual number. */
  long fill(Database database, long bytes) throws Exception {
    database.run("CREATE TABLE ledger (kind text, id bigint, hash text, PRIMARY KEY (kind, id))");
    List<Future<Long>> filling = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      database.run(
          "CREATE TABLE %s (id bigint PRIMARY KEY, n integer NOT NULL DEFAULT 0, content %s)"
              .formatted(kind.table(), kind.type));
      filling.add(Wait.start(() -> fill(kind, bytes * kind.share / 100)));
    }
    long all = 0;
    for (Future<Long> filled : filling) {
      all += Wait.get(filled, Duration.ofHours(1));
    }
    return all;
  }

  private long fill(Kind kind, long share) throws SQLException {
    long done = large(kind, share);
    int count = 0;
    Random random = new Random(seed + kind.share + kind.most);
    try (Connection connection = pool.getConnection()) {
      connection.setAutoCommit(false);
      while (done < share || count < 20) {
        done += plain(connection, kind, ++count, content(kind, random, 0), Verb.INSERT);
        if (count % 100 == 0) {
          connection.commit();
        }
      }
      connection.commit();
    }
    rows.put(kind, count);
    return done;
  }

  /**
   * Inserts a few rows that have a third of the bytes in total: up to 200 MB each, or 40 MB for a
   * document.
   */
  private long large(Kind kind, long share) throws SQLException {
    long done = 0;
    long most = kind.type.equals("bytea") || kind.type.equals("oid") ? 200_000_000 : 40_000_000;
    try (Connection connection = pool.getConnection()) {
      connection.setAutoCommit(false);
      for (int i = 0; done < share / 3 && share > 10 * SMALL; i++) {
        int size = (int) Math.min(most >> (i % 4 * 2), share / 6);
        byte[] content = content(kind, new Random(seed + i), size);
        done += plain(connection, kind, FIRST_LARGE + i, content, Verb.INSERT);
        connection.commit();
      }
    }
    return done;
  }

  /** Returns random content of this size; for 0, of a random size that suits the kind. */
  private static byte[] content(Kind kind, Random random, int asked) {
    // Small sizes are more frequent.
    int size =
        asked > 0
            ? asked
            : (int) (kind.least * Math.pow(1.0 * kind.most / kind.least, random.nextDouble()));
    if (kind.type.equals("bytea") || kind.type.equals("oid")) {
      return Bytes.random(random.nextLong(), size);
    }
    String words = HexFormat.of().formatHex(Bytes.random(random.nextLong(), size / 2));
    if (!kind.documents()) {
      return words.getBytes(UTF_8);
    }
    StringBuilder document = new StringBuilder("{\"n\": 0, \"list\": [");
    for (int at = 0; at < words.length(); at += 150) {
      document.append(at == 0 ? "\"" : ", \"");
      document.append(words, at, Math.min(at + 150, words.length())).append('"');
    }
    return document.append("]}").toString().getBytes(UTF_8);
  }

  /** Starts the clients, which pause briefly between calls. */
  void start() {
    for (int client = 0; client < CONNECTIONS; client++) {
      Random random = new Random(seed + 31L * client);
      clients.add(
          Wait.start(
              () -> {
                long calls = 0;
                while (!ended) {
                  call(random);
                  calls++;
                  Thread.sleep(random.nextInt(20));
                }
                return calls;
              }));
    }
  }

  /** Assigns the following calls to a part of the run; fails if a client has failed. */
  void label(String part) {
    for (Future<Long> client : clients) {
      if (client.isDone()) {
        result(client);
      }
    }
    label = part;
  }

  /** Waits until this many calls belong to a part of the run. */
  void await(String part, int calls) {
    label(part);
    Wait.until(
        calls + " calls of " + part,
        () ->
            nanos.entrySet().stream()
                    .filter(e -> e.getKey().startsWith(part + " "))
                    .mapToInt(e -> e.getValue().size())
                    .sum()
                >= calls);
  }

  /**
   * Runs the end of a migration, when an application switches between plain SQL and the library.
   */
  void exchange(Kind kind, boolean toAttached, Runnable finish) {
    Lock lock = exchange.get(kind).writeLock();
    if (kind.always()) {
      finish.run();
      attached.put(kind, toAttached);
      return;
    }
    lock.lock();
    try {
      finish.run();
      attached.put(kind, toAttached);
    } finally {
      lock.unlock();
    }
  }

  private void call(Random random) throws Exception {
    Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
    int dice = random.nextInt(10);
    Verb verb =
        dice < 5
            ? Verb.READ
            : List.of(Verb.CHANGE, Verb.CHANGE, Verb.TOUCH, Verb.INSERT, Verb.DELETE).get(dice - 5);
    long id =
        switch (verb) {
          case INSERT -> inserted.getAndIncrement();
          case DELETE -> FIRST_INSERTED + random.nextLong(inserted.get() - FIRST_INSERTED + 1);
          case READ, TOUCH ->
              random.nextInt(20) == 0
                  ? FIRST_LARGE + random.nextInt(3)
                  : 1 + random.nextInt(rows.get(kind));
          case CHANGE -> 1 + random.nextInt(rows.get(kind));
        };
    byte[] content =
        verb == Verb.CHANGE || verb == Verb.INSERT ? content(kind, random, 0) : new byte[0];
    String part = label;
    Lock lock = exchange.get(kind).readLock();
    long began = System.nanoTime();
    lock.lock();
    try {
      try {
        transact(kind, id, content, verb);
      } catch (PgToasterException e) {
        // The columns were exchanged during the transaction, or another client replaced a blob
        // during a read.
        if (!e.sqlState().startsWith("42") && !(e instanceof BlobChangedException)) {
          throw e;
        }
        repeated.incrementAndGet();
        transact(kind, id, content, verb);
      }
    } finally {
      lock.unlock();
    }
    nanos
        .computeIfAbsent(part + " " + verb, p -> new ConcurrentLinkedQueue<>())
        .add(System.nanoTime() - began);
  }

  private void transact(Kind kind, long id, byte[] content, Verb verb) throws SQLException {
    try (Connection connection = pool.getConnection()) {
      connection.setAutoCommit(false);
      if (kind.always() || attached.get(kind)) {
        library(connection, kind, id, content, verb);
      } else {
        plain(connection, kind, id, content, verb);
      }
      connection.commit();
    }
  }

  private long plain(Connection c, Kind kind, long id, byte[] content, Verb verb)
      throws SQLException {
    boolean objects = kind.type.equals("oid");
    String value =
        objects
            ? "lo_from_bytea(0, ?)"
            : kind.type.equals("bytea") ? "?" : "CAST(? AS " + kind.type + ")";
    Object given = kind.type.equals("bytea") || objects ? content : new String(content, UTF_8);
    switch (verb) {
      case READ ->
          run(
              c,
              "SELECT %s FROM %s WHERE id = ?"
                  .formatted(objects ? "lo_get(content, 0, 65536)" : "content", kind.table()),
              id);
      case CHANGE -> {
        if (objects) {
          // This does what the trigger lo_manage does. Lock the row first. Otherwise the older
          // snapshot may find an object that another client has already replaced.
          run(c, "SELECT id FROM scan WHERE id = ? FOR UPDATE", id);
          run(c, "SELECT lo_unlink(content) FROM scan WHERE id = ?", id);
        }
        run(c, "UPDATE %s SET content = %s WHERE id = ?".formatted(kind.table(), value), given, id);
      }
      case INSERT ->
          run(
              c,
              "INSERT INTO %s (content, id) VALUES (%s, ?)".formatted(kind.table(), value),
              given,
              id);
      case TOUCH, DELETE -> both(c, kind, id, verb);
    }
    note(c, kind, id, content, verb);
    return content.length;
  }

  private void library(Connection c, Kind kind, long id, byte[] content, Verb verb)
      throws SQLException {
    if (verb == Verb.INSERT) {
      run(c, "INSERT INTO %s (id) VALUES (?)".formatted(kind.table()), id);
    }
    BlobColumn blobs = toaster.blobs(kind.table(), "content").on(c);
    switch (verb) {
      case READ -> {
        if (run(c, "SELECT id FROM %s WHERE id = ?".formatted(kind.table()), id).isEmpty()) {
          return;
        } else if (kind.documents()) {
          toaster.documents(kind.table(), "content").on(c).at(id, "list[0]").get();
        } else {
          blobs.read(id, 0, 65_536);
        }
      }
      case CHANGE, INSERT -> {
        if (kind.documents()) {
          toaster.documents(kind.table(), "content").on(c).putJson(id, new String(content, UTF_8));
        } else {
          blobs.replace(id, content);
        }
      }
      case TOUCH, DELETE -> both(c, kind, id, verb);
    }
    note(c, kind, id, content, verb);
  }

  /** The actions that plain SQL and the library have in common. */
  private static void both(Connection c, Kind kind, long id, Verb verb) throws SQLException {
    if (verb == Verb.TOUCH) {
      run(c, "UPDATE %s SET n = n + 1 WHERE id = ?".formatted(kind.table()), id);
    } else if (!run(c, "DELETE FROM %s WHERE id = ? RETURNING id".formatted(kind.table()), id)
        .isEmpty()) {
      // If another client is inserting the row at that moment, DELETE does not see it, and the
      // ledger keeps it.
      run(c, "DELETE FROM ledger WHERE kind = ? AND id = ?", kind.table(), id);
    }
  }

  private static void note(Connection c, Kind kind, long id, byte[] content, Verb verb)
      throws SQLException {
    if (verb == Verb.CHANGE || verb == Verb.INSERT) {
      run(
          c,
          "INSERT INTO ledger VALUES (?, ?, %s) ON CONFLICT (kind, id) DO UPDATE SET hash = excluded.hash"
              .formatted(kind.documents() ? "md5(CAST(CAST(? AS jsonb) AS text))" : "?"),
          kind.table(),
          id,
          kind.documents() ? new String(content, UTF_8) : md5(content));
    }
  }

  private static String md5(byte[] content) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("MD5").digest(content));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  private static List<String> run(Connection c, String sql, Object... parameters)
      throws SQLException {
    List<String> found = new ArrayList<>();
    try (PreparedStatement s = c.prepareStatement(sql)) {
      for (int i = 0; i < parameters.length; i++) {
        s.setObject(i + 1, parameters[i]);
      }
      if (s.execute()) {
        try (ResultSet r = s.getResultSet()) {
          while (r.next()) {
            found.add(r.getString(1));
          }
        }
      }
    }
    return found;
  }

  /**
   * Returns rows whose content differs from the last write, in one snapshot of the running
   * workload.
   */
  List<String> differing(Kind kind) throws SQLException {
    ReadWriteLock lock = exchange.get(kind);
    lock.readLock().lock();
    try (Connection c = pool.getConnection()) {
      c.setAutoCommit(false);
      c.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      String content =
          !attached.get(kind)
              ? switch (kind.type) {
                case "oid" -> "lo_get(o.content)";
                case "text" -> "convert_to(o.content, 'UTF8')";
                case "bytea" -> "o.content";
                default -> "CAST(CAST(o.content AS jsonb) AS text)";
              }
              : kind.documents()
                  ? "CAST(pgtoaster.expand(o.content) AS text)"
                  : "pgtoaster.bytes(o.content)";
      return Sql.strings(
          c,
          "SELECT concat(id, ' ', l.hash) FROM %s o FULL JOIN (SELECT * FROM ledger WHERE kind = '%s') l USING (id) WHERE md5(%s) IS DISTINCT FROM l.hash"
              .formatted(kind.table(), kind.table(), content));
    } finally {
      lock.readLock().unlock();
    }
  }

  /**
   * The number of transactions that were repeated because columns were exchanged or a blob was
   * replaced.
   */
  int repeated() {
    return repeated.get();
  }

  /** The number of calls, median and 99th percentile in milliseconds for each part of the run. */
  List<String> latencies() {
    return nanos.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .map(
            e -> {
              long[] sorted = e.getValue().stream().mapToLong(Long::longValue).sorted().toArray();
              return "%-30s %7d calls, median %7.2f ms, p99 %7.2f ms"
                  .formatted(
                      e.getKey(),
                      sorted.length,
                      sorted[sorted.length / 2] / 1e6,
                      sorted[(int) (sorted.length * 0.99)] / 1e6);
            })
        .toList();
  }

  /** Ends the clients; fails if one of them has failed. */
  @Override
  public void close() {
    ended = true;
    clients.forEach(this::result);
  }

  private void result(Future<Long> client) {
    try {
      Wait.get(client);
    } catch (Exception e) {
      throw new AssertionError("a client has failed in " + label + ", seed " + seed, e);
    }
  }
}
