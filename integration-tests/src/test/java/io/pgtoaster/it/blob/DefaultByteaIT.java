package io.pgtoaster.it.blob;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.error.DatabaseException;
import io.pgtoaster.it.blob.contract.BinaryContract;
import io.pgtoaster.it.blob.contract.CombiningContract;
import io.pgtoaster.it.blob.contract.CoreContracts;
import io.pgtoaster.it.blob.contract.NoTokenContract;
import io.pgtoaster.it.blob.contract.TextContract;
import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.Planned;
import java.sql.Connection;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Ordinary bytea columns, which are not in the catalog. */
@Planned(Planned.Needs.STOCK)
final class DefaultByteaIT extends BlobContract
    implements CoreContracts, BinaryContract, TextContract.Malformed, NoTokenContract {
  DefaultByteaIT() {
    super(ColumnSpec.stock("bytea"));
  }

  @Test
  void failingAppend_doesNotFailTheAppendsCombinedWithIt() throws Exception {
    Object key = fx().row(fx().content(1, 50));
    fx().run(
            "ALTER TABLE item ADD CONSTRAINT short CHECK (octet_length(content) <= 150) NOT VALID");
    try {
      Connection connection = fx().begin();
      fx().on(connection).append(key, fx().content(1, 10));
      List<CombiningContract.Caller> callers = queued(fx().own(), key, 10, 20, 200, 30);
      connection.commit();
      assertThat(callers.get(2).failure()).isInstanceOf(DatabaseException.class);
      for (int i : new int[] {0, 1, 3}) {
        callers.get(i).get();
      }
      assertThat(fx().own().length(key)).isEqualTo(120);
    } finally {
      fx().run("ALTER TABLE item DROP CONSTRAINT short");
    }
  }
}
