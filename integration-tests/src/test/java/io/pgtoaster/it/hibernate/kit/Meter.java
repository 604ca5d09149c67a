package io.pgtoaster.it.hibernate.kit;

import com.sun.management.ThreadMXBean;
import io.pgtoaster.it.kit.Database;
import io.pgtoaster.it.kit.Recorder.Statement;
import java.lang.management.ManagementFactory;

/**
 * Measures work of the calling thread. WAL is measured for the whole server, so nothing else may
 * write to it meanwhile.
 */
public final class Meter {
  private static final ThreadMXBean THREAD = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final Orm orm;
  private final Database database;

  public Meter(Orm orm) {
    this.orm = orm;
    this.database = orm.database();
  }

  /** Work to measure. */
  @FunctionalInterface
  public interface Work {
    void run() throws Exception;
  }

  /** Returns the cost of some work. */
  public Cost of(Work work) throws Exception {
    orm.recorder().clear();
    String from = lsn();
    long allocated = THREAD.getCurrentThreadAllocatedBytes();
    long cpu = THREAD.getCurrentThreadCpuTime();
    work.run();
    cpu = THREAD.getCurrentThreadCpuTime() - cpu;
    allocated = THREAD.getCurrentThreadAllocatedBytes() - allocated;
    long wal = database.number("SELECT pg_wal_lsn_diff('%s', '%s')".formatted(lsn(), from));
    long sent = orm.recorder().sentBytes();
    long statements = orm.statements().stream().mapToLong(Statement::executions).sum();
    return new Cost(statements, sent, wal, cpu, allocated);
  }

  private String lsn() {
    return database.string("SELECT pg_current_wal_insert_lsn()");
  }
}
