package io.pgtoaster.examples.app.file;

import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.examples.app.cost.Comparison;
import io.pgtoaster.examples.app.cost.CostMeter;
import io.pgtoaster.examples.app.cost.Measured;
import java.util.Random;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;

/** Measures an append to a file, and rolls it back. */
@Component
final class AppendCost {
  /** The largest file that it copies into a plain column. */
  static final int MAX_SIZE = 32_000_000;

  private static final int APPENDED = 64_000;

  private final BlobColumn contents;
  private final JdbcTemplate jdbc;
  private final CostMeter meter;
  private final TransactionTemplate transactions;

  AppendCost(
      PgToaster toaster, JdbcTemplate jdbc, CostMeter meter, TransactionTemplate transactions) {
    this.contents = toaster.blobs("example_file", "content");
    this.jdbc = jdbc;
    this.meter = meter;
    this.transactions = transactions;
  }

  synchronized Comparison of(StoredFile file) {
    byte[] more = new byte[APPENDED];
    new Random(file.id()).nextBytes(more);
    Comparison comparison =
        transactions.execute(
            status -> {
              status.setRollbackOnly();
              jdbc.execute("CREATE TABLE example_file_plain (content bytea)");
              byte[] content = contents.read(file.id(), 0, MAX_SIZE);
              jdbc.update("INSERT INTO example_file_plain VALUES (?)", (Object) content);
              Measured<?> ours =
                  meter.measure("example_file", () -> contents.append(file.id(), more));
              Measured<?> plain =
                  meter.measure(
                      "example_file_plain",
                      () ->
                          jdbc.update(
                              "UPDATE example_file_plain SET content = content || ?", more));
              return new Comparison("Append 64 kB to " + file.name(), ours.cost(), plain.cost());
            });
    if (comparison == null) {
      throw new IllegalStateException("nothing was measured");
    }
    return comparison;
  }
}
