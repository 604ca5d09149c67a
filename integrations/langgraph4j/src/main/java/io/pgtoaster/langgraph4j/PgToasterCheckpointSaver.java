package io.pgtoaster.langgraph4j;

import io.pgtoaster.PgToaster;
import io.pgtoaster.chatmemory.Conversations;
import io.pgtoaster.chatmemory.RowStatements;
import io.pgtoaster.column.ColumnName;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.bsc.langgraph4j.RunnableConfig;
import org.bsc.langgraph4j.checkpoint.BaseCheckpointSaver;
import org.bsc.langgraph4j.checkpoint.Checkpoint;
import org.bsc.langgraph4j.serializer.StateSerializer;
import tools.jackson.databind.node.ObjectNode;

/**
 * Stores checkpoints in a table, one row per thread. A checkpoint writes only what changed since
 * the previous one, whatever the size of the state. Thread-safe.
 *
 * <p>If several JVMs add checkpoints to one thread at once, all of them are stored. Change the
 * documents only through this class, because it uses the version in them.
 */
public final class PgToasterCheckpointSaver implements BaseCheckpointSaver {
  private static final String COLUMN = "checkpoints";

  /** A checkpoint writes less WAL than with the default, because it changes several leaves. */
  private static final int LEAF_SIZE = 8_192;

  private final PgToaster toaster;
  private final DataSource dataSource;
  private final ColumnName column;
  private final States states;
  private final Threads threads;

  private PgToasterCheckpointSaver(
      PgToaster toaster, DataSource dataSource, ColumnName column, States states, int keepLast) {
    this.toaster = toaster;
    this.dataSource = dataSource;
    this.column = column;
    this.states = states;
    threads = new Threads(toaster.documents(column), keepLast);
  }

  /**
   * Opens the saver in a table that {@link #createTable} has created.
   *
   * @param dataSource of the database, preferably a pool
   * @param table exact name of a table on the search path
   * @param serializer of the graph's states, as {@code StateGraph.getStateSerializer()} returns it
   * @return the saver
   */
  public static PgToasterCheckpointSaver of(
      DataSource dataSource, String table, StateSerializer<?> serializer) {
    return of(PgToaster.create(dataSource), dataSource, ColumnName.of(table, COLUMN), serializer);
  }

  /**
   * Opens the saver in any table.
   *
   * @param toaster with the settings to use; its calls must not join a caller's transaction
   * @param dataSource of the same database, for transactions that delete rows
   * @param column of type {@code jsonb}, in a table with one key column of type {@code text}; the
   *     other columns need defaults
   * @param serializer of the graph's states
   * @return the saver
   */
  public static PgToasterCheckpointSaver of(
      PgToaster toaster, DataSource dataSource, ColumnName column, StateSerializer<?> serializer) {
    return new PgToasterCheckpointSaver(
        toaster, dataSource, column, new States(serializer), Integer.MAX_VALUE);
  }

  /**
   * Returns a saver that limits the number of checkpoints of a thread. Each new checkpoint removes
   * the oldest ones.
   *
   * @param checkpoints to keep, at least 1; by default all are kept
   * @return the saver
   */
  public PgToasterCheckpointSaver withKeepLast(int checkpoints) {
    if (checkpoints < 1) {
      throw new IllegalArgumentException("a thread needs at least one checkpoint: " + checkpoints);
    }
    return new PgToasterCheckpointSaver(toaster, dataSource, column, states, checkpoints);
  }

  /**
   * Creates a table with the columns {@code id} and {@code checkpoints}, unless it exists, and
   * attaches the second. Installs the catalog, unless it is installed.
   *
   * @param dataSource of the database
   * @param table exact name
   */
  public static void createTable(DataSource dataSource, String table) {
    PgToaster toaster = PgToaster.create(dataSource);
    if (!toaster.catalog().isInstalled()) {
      toaster.catalog().install();
    }
    Conversations.createTable(
        toaster,
        RowStatements.on(dataSource),
        ColumnName.of(table, COLUMN),
        Conversations.options().withLeafSize(LEAF_SIZE));
  }

  /** Returns the checkpoints of a thread, newest first. */
  @Override
  public Collection<Checkpoint> list(RunnableConfig config) {
    return threads.history(thread(config)).map(this::checkpoints).orElseGet(List::of);
  }

  /** Returns the checkpoint that the configuration names, or the newest if it names none. */
  @Override
  public Optional<Checkpoint> get(RunnableConfig config) {
    String thread = thread(config);
    if (config.checkPointId().isEmpty()) {
      return threads.newest(thread).map(states::fromJson);
    }
    String id = config.checkPointId().get();
    return threads
        .history(thread)
        .filter(history -> history.indexOf(id) >= 0)
        .map(history -> states.fromJson(history.get(history.indexOf(id))));
  }

  /**
   * Adds a checkpoint, or replaces the one that the configuration names.
   *
   * @throws java.util.NoSuchElementException if the configuration names a checkpoint that does not
   *     exist
   * @throws io.pgtoaster.error.InvalidJsonException if a key of the state contains a zero character
   */
  @Override
  public RunnableConfig put(RunnableConfig config, Checkpoint checkpoint) throws IOException {
    String thread = thread(config);
    ObjectNode json = states.toJson(checkpoint);
    if (config.checkPointId().isPresent()) {
      threads.replace(thread, config.checkPointId().get(), json);
      return config;
    }
    threads.add(thread, json);
    return RunnableConfig.builder(config).checkPointId(checkpoint.getId()).build();
  }

  /** Deletes a thread, and returns its checkpoints, newest first. */
  @Override
  public Tag release(RunnableConfig config) throws SQLException {
    String thread = thread(config);
    try (Connection connection = dataSource.getConnection()) {
      boolean autoCommit = connection.getAutoCommit();
      connection.setAutoCommit(false);
      try {
        Optional<List<Checkpoint>> released =
            threads.lock(thread, connection).map(this::checkpoints);
        if (released.isPresent()) {
          new Conversations(PgToaster.on(connection), work -> work.run(connection), column)
              .delete(thread);
        }
        connection.commit();
        return new Tag(threadId(config), released.orElseGet(List::of));
      } finally {
        connection.rollback();
        connection.setAutoCommit(autoCommit);
      }
    }
  }

  /**
   * Deletes a thread without reading its checkpoints, if it exists.
   *
   * @param threadId of the thread, as in {@link RunnableConfig#threadId()}
   */
  public void deleteThread(String threadId) {
    new Conversations(toaster, RowStatements.on(dataSource), column).delete(threadId);
  }

  private String thread(RunnableConfig config) {
    return Conversations.checked("thread", threadId(config));
  }

  private List<Checkpoint> checkpoints(History history) {
    List<Checkpoint> checkpoints = new ArrayList<>();
    for (int number = 0; number < history.size(); number++) {
      checkpoints.add(states.fromJson(history.get(number)));
    }
    return checkpoints;
  }
}
