package io.pgtoaster.it;

import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.it.kit.Bytes;
import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.Cuts;
import io.pgtoaster.it.kit.Fixture;
import io.pgtoaster.it.kit.PostgresServers;
import io.pgtoaster.it.kit.Setting;
import java.sql.Connection;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How often an append by plain SQL waits for the server, once its statements are prepared. */
class RoundTripsIT {
  private static final int WARM = 21;

  /** The driver sends BEGIN as a message of its own, together with the lock. */
  @ParameterizedTest(name = "{0} bytes: {1}")
  @CsvSource({
    "1024, 1, head and piece",
    "10240, 4, 'BEGIN, lock and pieces, chunks and head, COMMIT'"
  })
  void append_sendsNoMoreMessagesThanNeeded(int size, int messages, String what) throws Exception {
    Setting setting = new Setting(PostgresServers.newest(), true);
    try (Fixture fx = new Fixture(setting, ColumnSpec.appendable("{}"));
        Cuts cuts = new Cuts(fx.database());
        Connection connection = cuts.connect()) {
      Object key = fx.row();
      BlobColumn blobs = PgToaster.on(connection).blobs(Fixture.TABLE, Fixture.COLUMN);
      byte[] content = Bytes.random(1, size * (WARM + 1));
      for (int i = 0; i < WARM; i++) {
        blobs.append(key, Bytes.slice(content, i * size, size));
      }
      cuts.allow(messages, () -> blobs.append(key, Bytes.slice(content, WARM * size, size)));
      fx.assertContent(key, content);
    }
  }
}
