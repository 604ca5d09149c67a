package io.pgtoaster.it.cost;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.it.kit.Bytes;
import io.pgtoaster.it.kit.DocumentFixture;
import io.pgtoaster.it.kit.DocumentSpec;
import io.pgtoaster.it.kit.PostgresServers;
import io.pgtoaster.it.kit.Setting;
import io.pgtoaster.it.kit.SmallJvm;
import java.io.InputStream;
import java.io.OutputStream;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A document that is far larger than the client's memory. */
@Tag("ci")
@Tag("turn-2")
class DocumentMemoryIT {
  private static final long PARTS = 600_000;

  @Test
  void sixtyMegabytes_areStoredReadAndChangedWith48MegabytesOfHeap() throws Exception {
    MessageDigest digest = Bytes.sha256();
    try (InputStream text = new DigestInputStream(new SmallDocument.Parts(PARTS), digest)) {
      assertThat(text.transferTo(OutputStream.nullOutputStream())).isGreaterThan(60_000_000);
    }
    String expected = Bytes.hex(digest);
    Setting setting = new Setting(PostgresServers.newest(), true);
    try (DocumentFixture fx = new DocumentFixture(setting, DocumentSpec.keyed("{}"))) {
      Object key = fx.row();
      String output = SmallJvm.run(48, SmallDocument.class, fx.database(), key, PARTS);
      assertThat(output).isEqualTo(expected + " " + expected);
      assertThat(fx.own().at(key, "parts").size()).hasValue(PARTS);
      assertThat(fx.own().at(key, "parts[" + PARTS / 2 + "].title").text())
          .contains("\"changed again\"");
      assertThat(fx.own().at(key, "count").text()).contains("12");
    }
  }
}
