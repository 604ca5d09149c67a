package io.pgtoaster.it.blob;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.error.BlobNotFoundException;
import io.pgtoaster.error.ConcurrencyException;
import io.pgtoaster.it.kit.Bytes;
import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.DocumentFixture;
import io.pgtoaster.it.kit.DocumentSpec;
import io.pgtoaster.it.kit.Figures;
import io.pgtoaster.it.kit.Fixture;
import io.pgtoaster.it.kit.ListHistory;
import io.pgtoaster.it.kit.ListHistory.Append;
import io.pgtoaster.it.kit.ListHistory.Op;
import io.pgtoaster.it.kit.ListHistory.Read;
import io.pgtoaster.it.kit.ListHistory.Transaction;
import io.pgtoaster.it.kit.Setting;
import io.pgtoaster.it.kit.Sql;
import io.pgtoaster.it.kit.TableFixture;
import io.pgtoaster.it.kit.Wait;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Several threads append to the same values and read them in transactions. No transaction may see
 * an anomaly that its isolation level forbids. The property pgtoaster.test.histories sets the
 * number of histories for each kind of content and level.
 */
@Tag("ci")
@Tag("turn-0")
class HistoryIT {
  private static final int HISTORIES = Integer.getInteger("pgtoaster.test.histories", 1);
  private static final long SEED = Long.getLong("pgtoaster.test.seed", 20_261_122);
  private static final int THREADS = 5;
  private static final int EACH = 30;
  private static final int LISTS = 3;

  /** The maximum number of histories in which a control must find an anomaly. */
  private static final int PATIENCE = 20;

  /** Lists in rows 1 to {@link #LISTS}. */
  interface Lists extends AutoCloseable {
    TableFixture<?> fixture();

    void append(Connection connection, int list, int element) throws SQLException;

    List<Integer> read(Connection connection, int list);

    @Override
    default void close() {
      fixture().close();
    }
  }

  /** Records of all sizes in blobs, so that appends use every code path. */
  record Blobs(Fixture fixture) implements Lists {
    private static final int[] SIZES = {0, 0, 0, 30, 30, 900, 2500, 9000};

    Blobs(Setting setting) {
      this(new Fixture(setting, ColumnSpec.appendable("{}")));
    }

    @Override
    public void append(Connection connection, int list, int element) {
      int size = SIZES[element % SIZES.length];
      byte[] head = "%08d %05d ".formatted(element, size).getBytes(StandardCharsets.US_ASCII);
      fixture.on(connection).append(list, Bytes.concat(head, Bytes.text(element, size)));
    }

    @Override
    public List<Integer> read(Connection connection, int list) {
      byte[] all;
      try {
        all = fixture.on(connection).read(list, 0, Integer.MAX_VALUE - 8);
      } catch (BlobNotFoundException e) {
        return List.of();
      }
      List<Integer> elements = new ArrayList<>();
      for (int at = 0; at < all.length; ) {
        String head = new String(Arrays.copyOfRange(all, at, at + 15), StandardCharsets.US_ASCII);
        int element = Integer.parseInt(head.substring(0, 8));
        int size = Integer.parseInt(head.substring(9, 14));
        assertThat(Bytes.slice(all, at + 15, size)).isEqualTo(Bytes.text(element, size));
        elements.add(element);
        at += 15 + size;
      }
      return elements;
    }
  }

  record Documents(DocumentFixture fixture) implements Lists {
    Documents(Setting setting) {
      this(
          new DocumentFixture(
              setting,
              DocumentSpec.keyed("{\"row_budget\": 256, \"leaf_size\": 512, \"fan_out\": 4}")));
    }

    @Override
    public void append(Connection connection, int list, int element) {
      fixture.on(connection).at(list, "list").append(element + " " + "x".repeat(element % 90));
    }

    @Override
    public List<Integer> read(Connection connection, int list) {
      return fixture.on(connection).at(list, "list").get().stream()
          .flatMap(array -> array.valueStream())
          .map(element -> Integer.valueOf(element.stringValue().split(" ", 2)[0]))
          .toList();
    }
  }

  /** A naive application: reads a text and writes it back with one more element. */
  record Naive(Fixture fixture) implements Lists {
    Naive(Setting setting) {
      this(new Fixture(setting, ColumnSpec.stock("text")));
    }

    @Override
    public void append(Connection connection, int list, int element) throws SQLException {
      String all = text(connection, list) + element + " ";
      Sql.run(connection, "UPDATE item SET name = '%s' WHERE id = %d".formatted(all, list));
    }

    private static String text(Connection connection, int list) {
      try {
        return Sql.string(connection, "SELECT name FROM item WHERE id = " + list);
      } catch (SQLException e) {
        throw new AssertionError(e);
      }
    }

    @Override
    public List<Integer> read(Connection connection, int list) {
      return Stream.of(text(connection, list).split(" "))
          .filter(element -> !element.isEmpty())
          .map(Integer::valueOf)
          .toList();
    }
  }

  private static Lists open(String kind, Setting setting) {
    return switch (kind) {
      case "blobs" -> new Blobs(setting);
      case "documents" -> new Documents(setting);
      default -> new Naive(setting);
    };
  }

  static Stream<Arguments> levels() {
    return Setting.newestByBoth().stream()
        .flatMap(
            setting ->
                Stream.of("blobs", "documents")
                    .flatMap(
                        kind ->
                            Stream.of("READ_COMMITTED", "REPEATABLE_READ", "SERIALIZABLE")
                                .map(level -> Arguments.of(setting, kind, level))));
  }

  private static int isolation(String level) {
    return switch (level) {
      case "READ_COMMITTED" -> Connection.TRANSACTION_READ_COMMITTED;
      case "REPEATABLE_READ" -> Connection.TRANSACTION_REPEATABLE_READ;
      default -> Connection.TRANSACTION_SERIALIZABLE;
    };
  }

  @ParameterizedTest(name = "{1}, {2}, {0}")
  @MethodSource("levels")
  void listAppends_showNothingThatTheirIsolationForbids(Setting setting, String kind, String level)
      throws Exception {
    long committed = 0;
    try (Lists lists = open(kind, setting)) {
      for (int i = 0; i < HISTORIES; i++) {
        long seed = SEED + i;
        ListHistory history = run(lists, isolation(level), seed);
        assertThat(history.anomalies(isolation(level), last(lists))).as("seed %d", seed).isEmpty();
        assertThat(history.committed()).isGreaterThan(EACH / 2);
        committed += history.committed();
        assertThat(lists.fixture().orphans()).isEmpty();
      }
    }
    Figures.add(
        "HistoryIT#listAppends_showNothingThatTheirIsolationForbids", "histories", HISTORIES);
    Figures.add(
        "HistoryIT#listAppends_showNothingThatTheirIsolationForbids", "transactions", committed);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("io.pgtoaster.it.kit.Setting#newest")
  void unsafeReadAndWriteBack_isDetected(Setting setting) throws Exception {
    try (Lists lists = open("naive", setting)) {
      assertThat(caught(lists, Connection.TRANSACTION_READ_COMMITTED, "READ_COMMITTED"))
          .contains("lost");
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("io.pgtoaster.it.kit.Setting#newest")
  void weakerIsolationThanClaimed_isDetected(Setting setting) throws Exception {
    try (Lists lists = open("blobs", setting)) {
      assertThat(caught(lists, Connection.TRANSACTION_READ_COMMITTED, "REPEATABLE_READ"))
          .contains("G-single");
      assertThat(caught(lists, Connection.TRANSACTION_REPEATABLE_READ, "SERIALIZABLE"))
          .contains("G2");
    }
  }

  /**
   * Runs histories at one level, and checks them against another level, until there is an anomaly.
   */
  private static String caught(Lists lists, int isolation, String claimed) throws Exception {
    for (int i = 0; i < PATIENCE; i++) {
      ListHistory history = run(lists, isolation, SEED + i);
      List<String> anomalies = history.anomalies(isolation(claimed), last(lists));
      if (!anomalies.isEmpty()) {
        return String.join("\n", anomalies);
      }
    }
    return "nothing in " + PATIENCE + " histories";
  }

  private static Map<Integer, List<Integer>> last(Lists lists) throws Exception {
    Map<Integer, List<Integer>> last = new HashMap<>();
    try (Connection connection = lists.fixture().database().connect()) {
      for (int list = 1; list <= LISTS; list++) {
        last.put(list, lists.read(connection, list));
      }
    }
    return last;
  }

  private static ListHistory run(Lists lists, int isolation, long seed) throws Exception {
    TableFixture<?> fixture = lists.fixture();
    fixture.database().run("DELETE FROM item");
    for (int list = 1; list <= LISTS; list++) {
      fixture.database().run("INSERT INTO item (id) VALUES (" + list + ")");
      if (lists instanceof Documents documents) {
        documents.fixture().own().putJson(list, "{\"list\": []}");
      }
    }
    ListHistory history = new ListHistory();
    AtomicInteger elements = new AtomicInteger();
    Wait.inThreads(
        THREADS,
        t -> {
          Random random = new Random(seed * 1000 + t);
          try (Connection connection = fixture.database().connect()) {
            connection.setTransactionIsolation(isolation);
            connection.setAutoCommit(false);
            for (int i = 0; i < EACH; i++) {
              history.add(transaction(lists, connection, random, elements));
            }
          }
        });
    return history;
  }

  private static Transaction transaction(
      Lists lists, Connection connection, Random random, AtomicInteger elements)
      throws SQLException {
    long begun = System.nanoTime();
    List<Op> ops = new ArrayList<>();
    boolean committed = false;
    int count = 1 + random.nextInt(4);
    int written = 1;
    try {
      for (int i = 0; i < count; i++) {
        int list = 1 + random.nextInt(LISTS);
        // Append in a fixed order, because deadlocks would otherwise take most of the time.
        if (list >= written && random.nextBoolean()) {
          written = list;
          int element = elements.incrementAndGet();
          ops.add(new Append(list, element));
          lists.append(connection, list, element);
        } else {
          ops.add(new Read(list, lists.read(connection, list)));
        }
      }
      if (random.nextInt(8) > 0) {
        connection.commit();
        committed = true;
      }
    } catch (ConcurrencyException e) {
      assertThat(e.sqlState()).isIn("40001", "40P01");
    } catch (SQLException e) {
      assertThat(e.getSQLState()).isIn("40001", "40P01");
    } finally {
      if (!committed) {
        connection.rollback();
      }
    }
    return new Transaction(List.copyOf(ops), committed, begun, System.nanoTime());
  }
}
