package io.pgtoaster.benchmarks.chat;

import io.pgtoaster.benchmarks.server.Backend;
import io.pgtoaster.benchmarks.server.Database;
import io.pgtoaster.benchmarks.server.Kind;
import io.pgtoaster.benchmarks.server.Sql;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Adds turns of two messages to conversations of different lengths, with this project's chat memory
 * stores and with the frameworks' own. Prints the rows of a table.
 */
public final class ChatMemories {
  private static final int CONVERSATIONS = 4;

  /** During these turns, the last leaf of a document becomes full and is cut. */
  private static final int TURNS = 10;

  private static final int WARM_UP = 2;
  private static final int READS = 3;

  /** Number of runs that warm up this JVM. */
  private static final int WARM_UP_RUNS = 5;

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  @FunctionalInterface
  private interface Opening {
    ChatStore open(Connection session, List<String> texts) throws Exception;
  }

  private record Contender(String name, Opening opening) {}

  private static final List<Contender> CONTENDERS =
      List.of(
          new Contender("Spring AI, JDBC", ChatStore::springAiJdbc),
          new Contender("Spring AI, pgtoaster", ChatStore::springAi),
          new Contender("LangChain4j, one text", ChatStore::langChain4jSql),
          new Contender("LangChain4j, pgtoaster", ChatStore::langChain4j),
          new Contender("LangGraph4j, Base64", ChatStore::langGraph4jSql),
          new Contender("LangGraph4j, pgtoaster", ChatStore::langGraph4j));

  private ChatMemories() {}

  /** Measures conversations of these lengths, in messages. */
  public static void run(List<Integer> lengths) throws Exception {
    for (Contender contender : CONTENDERS) {
      for (int i = 0; i < WARM_UP_RUNS; i++) {
        measure(contender, 200, false);
      }
    }
    tell("| Messages | Store | WAL, kB | CPU, ms | Round trips | Reading, CPU, ms |");
    tell("|---|---|---|---|---|---|");
    for (int length : lengths) {
      for (Contender contender : CONTENDERS) {
        measure(contender, length, true);
      }
    }
  }

  /** Prints the mean cost of a turn, and of reading a whole conversation. */
  private static void measure(Contender contender, int length, boolean print) throws Exception {
    int most = length + CONVERSATIONS + 2 * (TURNS + WARM_UP);
    try (Database database = Database.create(Kind.PLAIN);
        Connection session = connect(database)) {
      ChatStore store = contender.opening().open(session, texts(most));
      Backend backend = database.backend(session);
      Total turns = new Total();
      Total reads = new Total();
      for (int i = 0; i < CONVERSATIONS; i++) {
        String id = "conversation " + i;
        int start = length + i;
        store.write(id, start);
        for (int turn = 1; turn <= WARM_UP; turn++) {
          store.write(id, start + 2 * turn);
        }
        int warm = start + 2 * WARM_UP;
        turns.add(backend, TURNS, turn -> store.write(id, warm + 2 * turn));
        int all = warm + 2 * TURNS;
        reads.add(backend, READS, read -> require(store.read(id) == all, contender.name()));
      }
      if (print) {
        tell(
            "| %,d | %s | %,.1f | %,.1f | %.1f | %,.1f |",
            length,
            contender.name(),
            turns.wal / 1e3 / turns.calls,
            turns.nanos / 1e6 / turns.calls,
            (double) turns.trips / turns.calls,
            reads.nanos / 1e6 / reads.calls);
      }
    }
  }

  @FunctionalInterface
  private interface Call {
    void run(int number) throws Exception;
  }

  /** The cost of some calls. */
  private static final class Total {
    private int calls;
    private long wal;
    private long trips;

    /**
     * The processor time of this thread and the session, which other processes hardly influence.
     */
    private long nanos;

    /** Runs calls 1 to {@code times}. */
    void add(Backend backend, int times, Call call) throws Exception {
      Backend.Cost cost =
          backend.of(
              () -> {
                long before = THREADS.getCurrentThreadCpuTime();
                for (int number = 1; number <= times; number++) {
                  call.run(number);
                }
                nanos += THREADS.getCurrentThreadCpuTime() - before;
              });
      calls += times;
      wal += cost.wal();
      trips += cost.trips();
      nanos += cost.nanos();
    }
  }

  private static void require(boolean holds, String store) {
    if (!holds) {
      throw new IllegalStateException(store + " lost messages");
    }
  }

  /** Uses the driver's setting that makes batches of inserts fastest. */
  private static Connection connect(Database database) throws SQLException {
    PGSimpleDataSource source = (PGSimpleDataSource) database.dataSource();
    source.setReWriteBatchedInserts(true);
    Connection session = source.getConnection();
    Sql.run(session, "SET search_path = bench, public");
    return session;
  }

  /** Returns texts of 200 bytes. */
  private static List<String> texts(int count) {
    Random random = new Random(1);
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      StringBuilder text = new StringBuilder();
      while (text.length() < 200) {
        text.append('w').append((int) (5000 * Math.pow(random.nextDouble(), 3))).append(' ');
      }
      texts.add(text.substring(0, 200));
    }
    return texts;
  }

  @SuppressWarnings("AnnotateFormatMethod") // @FormatMethod needs another library
  private static void tell(String format, Object... values) {
    System.out.println(String.format(Locale.ROOT, format, values));
  }
}
