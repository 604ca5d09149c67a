package io.pgtoaster.it.cost;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.DocumentFixture;
import io.pgtoaster.it.kit.DocumentSpec;
import io.pgtoaster.it.kit.Fixture;
import io.pgtoaster.it.kit.Recorder;
import io.pgtoaster.it.kit.Setting;
import io.pgtoaster.jsonb.DocumentValue;
import org.junit.jupiter.api.Test;

/** Counts the methods between a call and the driver. */
class CallDepthIT {
  private final Recorder recorder = new Recorder();

  private long deepest(Runnable call) {
    // The first call also looks up the column.
    call.run();
    recorder.clear();
    call.run();
    assertThat(recorder.statements()).isNotEmpty();
    return recorder.statements().stream().mapToLong(Recorder.Statement::frames).max().orElseThrow();
  }

  @Test
  void append_reachesTheDriverInAtMost12Methods() {
    try (Fixture fx = new Fixture(Setting.newest().get(0), ColumnSpec.appendable("{}"))) {
      fx.run("INSERT INTO item (id) VALUES (1)");
      PgToaster toaster = PgToaster.create(recorder.record(fx.database().dataSource()));
      BlobColumn blobs = toaster.blobs("item", "content");
      assertThat(deepest(() -> blobs.append(1, new byte[100]))).isBetween(3L, 12L);
    }
  }

  @Test
  void set_reachesTheDriverInAtMost13Methods() {
    try (DocumentFixture fx =
        new DocumentFixture(Setting.newest().get(0), DocumentSpec.keyed("{}"))) {
      Object key = fx.row("{\"name\": \"Toto\", \"text\": \"%s\"}".formatted("x ".repeat(9_000)));
      PgToaster toaster = PgToaster.create(recorder.record(fx.database().dataSource()));
      DocumentValue value = toaster.documents("item", "doc").at(key, "name");
      assertThat(deepest(() -> value.set("Tutu"))).isBetween(3L, 13L);
    }
  }
}
