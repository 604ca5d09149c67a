package io.pgtoaster.it.blob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.it.kit.Bytes;
import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.Fixture;
import io.pgtoaster.it.kit.Setting;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.sql.Blob;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** JDBC's Blob with invalid arguments, at its end, with a NULL column, and after free. */
@ParameterizedClass(name = "{0}, {1}")
@MethodSource("kinds")
class SqlBlobIT {
  private static final byte[] CONTENT = Bytes.random(1, 20_000);
  private static final byte[] NONE = {};

  @Parameter(0)
  Setting setting;

  @Parameter(1)
  ColumnSpec spec;

  @AutoClose private Fixture fx;

  static List<Object[]> kinds() {
    List<Object[]> kinds = new ArrayList<>();
    for (Setting setting : Setting.newestByBoth()) {
      kinds.add(new Object[] {setting, ColumnSpec.appendable("{}")});
    }
    kinds.add(new Object[] {Setting.newest().get(0), ColumnSpec.stock("bytea")});
    return kinds;
  }

  @BeforeEach
  void open() {
    fx = new Fixture(setting, spec);
  }

  private Blob blob() {
    return fx.blobs().sqlBlob(fx.row(CONTENT));
  }

  private static void refused(String state, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).as("%s", e).isEqualTo(state));
  }

  @Test
  void invalidArguments_throwSqlExceptionsWithAState_andChangeNothing() throws Exception {
    Blob blob = blob();
    refused("22023", () -> blob.getBytes(0, 1));
    refused("22023", () -> blob.getBytes(1, -1));
    refused("22023", () -> blob.getBinaryStream(0, 1));
    refused("22023", () -> blob.getBinaryStream(1, -1));
    refused("22023", () -> blob.position(NONE, 0));
    refused("22023", () -> blob.position(blob, -5));
    refused("22004", () -> blob.position((byte[]) null, 1));
    refused("22004", () -> blob.position((Blob) null, 1));
    refused("22023", () -> blob.setBytes(0, NONE));
    refused("22004", () -> blob.setBytes(1, null));
    refused("22004", () -> blob.setBytes(1, null, 0, 0));
    refused("22023", () -> blob.setBytes(1, new byte[5], -1, 1));
    refused("22023", () -> blob.setBytes(1, new byte[5], 0, 6));
    refused("22023", () -> blob.setBytes(1, new byte[5], 5, Integer.MAX_VALUE));
    refused("22023", () -> blob.setBinaryStream(Long.MIN_VALUE));
    refused("22023", () -> blob.truncate(-1));
    refused("22003", () -> blob.truncate(20_001));
    assertThat(blob.getBytes(1, 30_000)).isEqualTo(CONTENT);
  }

  @Test
  void afterFree_everyMethodThrows() throws Exception {
    Blob blob = blob();
    blob.free();
    blob.free();
    refused("55000", blob::length);
    refused("55000", () -> blob.getBytes(0, -1));
    refused("55000", blob::getBinaryStream);
    refused("55000", () -> blob.getBinaryStream(0, -1));
    refused("55000", () -> blob.position((byte[]) null, 0));
    refused("55000", () -> blob.position((Blob) null, 0));
    refused("55000", () -> blob.setBytes(0, null));
    refused("55000", () -> blob.setBytes(0, null, -1, -1));
    refused("55000", () -> blob.setBinaryStream(0));
    refused("55000", () -> blob.truncate(-1));
  }

  @Test
  void readsBeyondTheEnd_returnFewerBytes_andStreamsAreRefused() throws Exception {
    Blob blob = blob();
    assertThat(blob.getBytes(20_000, 10)).containsExactly(CONTENT[19_999]);
    assertThat(blob.getBytes(20_001, 10)).isEmpty();
    assertThat(blob.getBytes(Long.MAX_VALUE, Integer.MAX_VALUE)).isEmpty();
    refused("22003", () -> blob.getBinaryStream(20_001, 0));
    refused("22003", () -> blob.getBinaryStream(20_000, 2));
    refused("22003", () -> blob.getBinaryStream(1, Long.MAX_VALUE));
    refused("22003", () -> blob.getBinaryStream(Long.MAX_VALUE, Long.MAX_VALUE));
    try (InputStream in = blob.getBinaryStream(20_000, 1)) {
      assertThat(in.readAllBytes()).containsExactly(CONTENT[19_999]);
    }
    assertThat(blob.position(new byte[] {CONTENT[0]}, 20_001)).isEqualTo(-1);
    assertThat(blob.position(new byte[] {CONTENT[0]}, Long.MAX_VALUE)).isEqualTo(-1);
  }

  @Test
  void gap_isRefused() throws Exception {
    Blob blob = blob();
    refused("22003", () -> blob.setBytes(20_002, new byte[1]));
    OutputStream behind = blob.setBinaryStream(20_002);
    behind.write(1);
    assertThatThrownBy(behind::flush).isInstanceOf(IOException.class);
    assertThat(blob.length()).isEqualTo(20_000);
  }

  @Test
  void nullColumn_isAnEmptyBlobInEveryMethod() throws Exception {
    Blob blob = fx.blobs().sqlBlob(fx.row());
    assertThat(blob.length()).isZero();
    assertThat(blob.getBytes(1, 10)).isEmpty();
    try (InputStream in = blob.getBinaryStream()) {
      assertThat(in.readAllBytes()).isEmpty();
    }
    refused("22003", () -> blob.getBinaryStream(1, 0));
    assertThat(blob.position(new byte[1], 1)).isEqualTo(-1);
    assertThat(blob.position(NONE, 1)).isEqualTo(1);
    blob.truncate(0);
    refused("22003", () -> blob.truncate(1));
    refused("22003", () -> blob.setBytes(2, new byte[1]));
    assertThat(blob.setBytes(1, CONTENT)).isEqualTo(20_000);
    assertThat(blob.getBytes(1, 30_000)).isEqualTo(CONTENT);
  }

  @Test
  void deletedRow_isAnErrorInEveryMethod() throws Exception {
    Object key = fx.row(CONTENT);
    Blob blob = fx.blobs().sqlBlob(key);
    fx.run("DELETE FROM item");
    for (ThrowingCallable call :
        List.<ThrowingCallable>of(
            blob::length,
            () -> blob.getBytes(1, 1),
            blob::getBinaryStream,
            () -> blob.getBinaryStream(1, 1),
            () -> blob.position(NONE, 1),
            () -> blob.setBytes(1, new byte[1]),
            () -> blob.truncate(0))) {
      refused("02000", call);
    }
  }

  @Test
  void patternFromAnotherBlob_isFound() throws Exception {
    Blob blob = blob();
    Blob pattern = fx.blobs().sqlBlob(fx.row(Bytes.slice(CONTENT, 8095, 20)));
    assertThat(blob.position(pattern, 1)).isEqualTo(8096);
    assertThat(blob.position(pattern, 8097)).isEqualTo(-1);
    assertThat(blob.position(fx.blobs().sqlBlob(fx.row()), 7)).isEqualTo(7);
  }

  @Test
  void stream_resetsToItsMark() throws Exception {
    try (InputStream in = blob().getBinaryStream()) {
      assertThat(in.markSupported()).isTrue();
      in.skipNBytes(100);
      in.mark(50);
      assertThat(in.readNBytes(50)).isEqualTo(Bytes.slice(CONTENT, 100, 50));
      in.reset();
      assertThat(in.readAllBytes()).isEqualTo(Bytes.slice(CONTENT, 100, 19_900));
      in.reset();
      assertThat(in.read()).isEqualTo(CONTENT[100] & 0xFF);
    }
  }
}
