package io.pgtoaster.it.blob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.AppendOptions;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.column.AppendToken;
import io.pgtoaster.column.CallListener;
import io.pgtoaster.column.ColumnName;
import io.pgtoaster.error.ColumnNotFoundException;
import io.pgtoaster.error.RowNotFoundException;
import io.pgtoaster.it.kit.Bytes;
import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.Expect;
import io.pgtoaster.it.kit.Fixture;
import io.pgtoaster.it.kit.Setting;
import io.pgtoaster.jsonb.DocumentColumn;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass(name = "PostgreSQL {0}")
@MethodSource("io.pgtoaster.it.kit.PostgresServers#sampled")
class CallListenerIT {
  @Parameter int version;

  private final List<String> calls = new ArrayList<>();
  @AutoClose private Fixture fx;
  private PgToaster toaster;
  private Object key;

  @BeforeEach
  void open() {
    calls.clear();
    fx = new Fixture(new Setting(version, true), ColumnSpec.appendable("{}"));
    key = fx.row();
    toaster = PgToaster.create(fx.pool()).withListener(Reported::new);
  }

  private final class Reported implements CallListener.Call {
    private final String operation;

    Reported(String operation) {
      this.operation = operation;
    }

    @Override
    public void end(ColumnName column, long bytes, String outcome) {
      calls.add(operation + " " + column.column() + " " + bytes + " " + outcome);
    }

    @Override
    public void fail(ColumnName column, Throwable failure) {
      calls.add(
          operation
              + " "
              + (column == null ? "?" : column.column())
              + " "
              + failure.getClass().getSimpleName());
    }
  }

  @Test
  void blobCalls_areReportedWithBytesAndOutcome() {
    BlobColumn blobs = toaster.blobs("item", "content");
    AppendOptions once =
        AppendOptions.defaults().withToken(new AppendToken(AppendToken.newWriter(), 1));
    blobs.append(key, Bytes.random(1, 100), once);
    blobs.append(key, Bytes.random(1, 100), once);
    Expect.conflict(
        100,
        () ->
            blobs.append(key, Bytes.random(2, 10), AppendOptions.defaults().withExpectedOffset(7)));
    blobs.read(key, 90, 20);
    blobs.length(key);
    assertThat(blobs.delete(key)).isTrue();
    assertThat(blobs.delete(key)).isFalse();
    assertThat(calls)
        .containsExactly(
            "blob.append content 100 applied",
            "blob.append content 0 repeated",
            "blob.append content OffsetConflictException",
            "blob.read content 10 done",
            "blob.info content 0 done",
            "blob.delete content 0 done",
            "blob.delete content 0 nothing");
  }

  @Test
  void streams_areReportedWhileTheyAreRead() throws IOException {
    BlobColumn blobs = toaster.blobs("item", "content");
    blobs.append(key, Bytes.random(1, 3000));
    calls.clear();
    try (InputStream in = blobs.inputStream(key)) {
      assertThat(in.readAllBytes()).hasSize(3000);
    }
    assertThat(calls).containsExactly("blob.open content 0 done", "blob.read content 3000 done");
  }

  @Test
  void failures_areReportedAsTheCallerGetsThem() {
    BlobColumn blobs = toaster.blobs("item", "content");
    assertThatThrownBy(() -> blobs.append(-1, new byte[1]))
        .isInstanceOf(RowNotFoundException.class);
    assertThatThrownBy(() -> toaster.blobs("item", "none").length(key))
        .isInstanceOf(ColumnNotFoundException.class);
    assertThat(calls)
        .containsExactly(
            "blob.append content RowNotFoundException", "blob.info ? ColumnNotFoundException");
  }

  @Test
  void errors_areReported() {
    InputStream broken =
        new InputStream() {
          @Override
          public int read() {
            throw new StackOverflowError();
          }

          @Override
          public int read(byte[] target, int offset, int length) {
            throw new StackOverflowError();
          }
        };
    BlobColumn blobs = toaster.blobs("item", "content");
    SequenceInputStream in =
        new SequenceInputStream(new ByteArrayInputStream(new byte[1 << 21]), broken);
    assertThatThrownBy(() -> blobs.append(key, in)).isInstanceOf(StackOverflowError.class);
    assertThat(calls).containsExactly("blob.append content StackOverflowError");
  }

  @Test
  void documentCalls_areReportedByOperation() {
    fx.run(
        "CREATE TABLE paper (id int PRIMARY KEY, body jsonb)",
        "INSERT INTO paper VALUES (1, '{\"a\": 1}')");
    DocumentColumn documents = toaster.documents("paper", "body");
    documents.at(1, "a").get();
    documents.at(1, "b").get();
    documents.at(1, "a").set(2);
    documents.at(1, "b").remove();
    documents.mergeJson(1, "{\"c\": 3}");
    assertThat(calls)
        .containsExactly(
            "document.get body 0 done",
            "document.get body 0 nothing",
            "document.set body 0 done",
            "document.remove body 0 nothing",
            "document.merge body 0 done");
  }

  @Test
  void columnOnAConnection_isReported() throws Exception {
    BlobColumn blobs = toaster.blobs("item", "content");
    try (var connection = fx.pool().getConnection()) {
      blobs.on(connection).append(key, new byte[5]);
    }
    assertThat(calls).containsExactly("blob.append content 5 applied");
  }
}
