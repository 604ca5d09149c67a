package io.pgtoaster.it.hibernate;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.it.kit.Database;
import io.pgtoaster.it.kit.PostgresServers;
import io.pgtoaster.it.kit.SmallJvm;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Content that is far larger than the memory of the session's JVM. */
@Tag("ci")
@Tag("turn-2")
class SessionMemoryIT {
  private static final long LENGTH = Long.getLong("pgtoaster.test.stream", 150_000_000);

  @Test
  void hundredFiftyMegabytes_areWrittenAndReadWith64MegabytesOfHeap() throws Exception {
    Database database = PostgresServers.shared(PostgresServers.newest()).installed();
    String output = SmallJvm.run(64, SmallSession.class, database, LENGTH);
    String digests = output.lines().reduce("", (before, line) -> line);
    assertThat(digests).as(output).matches("([0-9a-f]{64}) \\1");
    BlobColumn audio = PgToaster.create(database.dataSource()).blobs("recording", "audio");
    assertThat(audio.length(1L)).isEqualTo(LENGTH);
    database.close();
  }
}
