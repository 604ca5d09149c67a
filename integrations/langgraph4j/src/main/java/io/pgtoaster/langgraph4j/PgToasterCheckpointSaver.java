package io.pgtoaster.langgraph4j;

import io.pgtoaster.PgToaster;
import io.pgtoaster.chatmemory.Conversations;
import io.pgtoaster.chatmemory.RowStatements;
import io.pgtoaster.column.ColumnName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import javax.sql.DataSource;
import org.bsc.langgraph4j.RunnableConfig;
import org.bsc.langgraph4j.checkpoint.BaseCheckpointSaver;
import org.bsc.langgraph4j.checkpoint.Checkpoint;
import org.bsc.langgraph4j.serializer.StateSerializer;

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

  private PgToasterCheckpointSaver(Builder builder) {
    toaster = builder.toaster;
    dataSource = builder.dataSource;
    column = builder.column;
    states = new States(builder.serializer);
    threads = new Threads(toaster.documents(column), builder.keepLast);
  }

  /** Creates savers. */
  public static final class Builder {
    private final PgToaster toaster;
    private final DataSource dataSource;
    private final ColumnName column;
    private final StateSerializer<?> serializer;
    private int keepLast = Integer.MAX_VALUE;

    private Builder(
        PgToaster toaster,
        DataSource dataSource,
        ColumnName column,
        StateSerializer<?> serializer) {
      this.toaster = Objects.requireNonNull(toaster, "toaster");
      this.dataSource = Objects.requireNonNull(dataSource, "dataSource");
      this.column = Objects.requireNonNull(column, "column");
      this.serializer = Objects.requireNonNull(serializer, "serializer");
    }

    /**
     * Limits the number of checkpoints of a thread. Each new checkpoint removes the oldest ones.
     *
     * @param checkpoints to keep, at least 1; by default all are kept
     * @return this builder
     */
    public Builder keepLast(int checkpoints) {
      if (checkpoints < 1) {
        throw new IllegalArgumentException(
            "a thread needs at least one checkpoint: " + checkpoints);
      }
      keepLast = checkpoints;
      return this;
    }

    /**
     * Creates the saver.
     *
     * @return the saver
     */
    public PgToasterCheckpointSaver build() {
      return new PgToasterCheckpointSaver(this);
    }
  }

  /**
   * Starts a saver in a table that {@link #createTable} has created.
   *
   * @param dataSource of the database, preferably a pool
   * @param table exact name of a table on the search path
   * @param serializer of the graph's states, as in {@code StateGraph.getStateSerializer()}
   * @return a builder
   */
  public static Builder builder(
      DataSource dataSource, String table, StateSerializer<?> serializer) {
    return builder(
        PgToaster.create(dataSource), dataSource, ColumnName.of(table, COLUMN), serializer);
  }

  /**
   * Starts a saver in any table.
   *
   * @param toaster with the settings to use; its calls must not join a caller's transaction
   * @param dataSource of the same database, for transactions that delete rows
   * @param column of type {@code jsonb}, in a table with one key column of type {@code text}; the
   *     other columns need defaults
   * @param serializer of the graph's states
   * @return a builder
   */
  public static Builder builder(
      PgToaster toaster, DataSource dataSource, ColumnName column, StateSerializer<?> serializer) {
    return new Builder(toaster, dataSource, column, serializer);
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

  /**
   * Returns the checkpoints of a thread.
   *
   * @return the newest checkpoint first
   */
  @Override
  public Collection<Checkpoint> list(RunnableConfig config) {
    return threads.history(thread(config)).map(this::checkpoints).orElseGet(List::of);
  }

  /**
   * Returns the checkpoint that the configuration names.
   *
   * @return the newest checkpoint if the configuration names none; empty if it does not exist
   */
  @Override
  public Optional<Checkpoint> get(RunnableConfig config) {
    String thread = thread(config);
    if (config.checkPointId().isEmpty()) {
      return threads.newest(thread).map(this::checkpoint);
    }
    String id = config.checkPointId().get();
    return threads
        .history(thread)
        .filter(history -> history.indexOf(id) >= 0)
        .map(history -> checkpoint(history.get(history.indexOf(id))));
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
    Entry entry = Entry.of(checkpoint, states);
    if (config.checkPointId().isPresent()) {
      threads.replace(thread, config.checkPointId().get(), entry);
      return config;
    }
    threads.add(thread, entry);
    return RunnableConfig.builder(config).checkPointId(entry.id()).build();
  }

  /**
   * Deletes a thread, and returns its checkpoints. To delete a long thread without reading it, call
   * {@link #deleteThread}.
   *
   * @return the checkpoints, newest first
   */
  @Override
  public Tag release(RunnableConfig config) throws SQLException {
    String thread = thread(config);
    try (Connection connection = dataSource.getConnection()) {
      boolean autoCommit = connection.getAutoCommit();
      connection.setAutoCommit(false);
      try {
        Collection<Checkpoint> checkpoints = release(connection, thread);
        connection.commit();
        return new Tag(threadId(config), checkpoints);
      } finally {
        connection.rollback();
        connection.setAutoCommit(autoCommit);
      }
    }
  }

  /**
   * Deletes a thread, if it exists.
   *
   * @param threadId of the thread, as in {@link RunnableConfig#threadId()}
   */
  public void deleteThread(String threadId) {
    new Conversations(toaster, RowStatements.on(dataSource), column)
        .delete(Conversations.checked("thread", threadId));
  }

  private List<Checkpoint> release(Connection connection, String thread) {
    Threads locked = threads.on(connection);
    if (!locked.lock(thread)) {
      return List.of();
    }
    List<Checkpoint> checkpoints =
        locked.history(thread).map(this::checkpoints).orElseGet(List::of);
    new Conversations(PgToaster.on(connection), work -> work.run(connection), column)
        .delete(thread);
    return checkpoints;
  }

  private String thread(RunnableConfig config) {
    return Conversations.checked("thread", threadId(config));
  }

  private List<Checkpoint> checkpoints(History history) {
    List<Checkpoint> checkpoints = new ArrayList<>();
    for (int number = 0; number < history.size(); number++) {
      checkpoints.add(checkpoint(history.get(number)));
    }
    return checkpoints;
  }

  private Checkpoint checkpoint(Entry entry) {
    try {
      return entry.checkpoint(states);
    } catch (IOException e) {
      throw new UncheckedIOException("a checkpoint cannot be deserialized", e);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException("a class of a checkpoint does not exist", e);
    }
  }
}
