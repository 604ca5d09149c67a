package io.pgtoaster.spring.resource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.spring.boot.PgToasterAutoConfiguration;
import io.pgtoaster.spring.kit.TestDatabase;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.util.StreamUtils;

/** A blob as Spring's WritableResource, on a pool of one connection. */
class BlobResourceIT {
  @AutoClose private static ConfigurableApplicationContext application;
  private static TestDatabase database;
  private static int rows;

  private final byte[] content = new byte[1_000_000];
  private BlobColumn blobs;
  private BlobResource resource;
  private long id;

  @ImportAutoConfiguration({
    DataSourceAutoConfiguration.class,
    DataSourceTransactionManagerAutoConfiguration.class,
    PgToasterAutoConfiguration.class,
    BlobResourceAutoConfiguration.class
  })
  static class Application {}

  @BeforeAll
  static void start() throws Exception {
    database = TestDatabase.withFiles();
    application =
        new SpringApplicationBuilder(Application.class)
            .web(org.springframework.boot.WebApplicationType.NONE)
            .properties(
                database.properties(
                    "spring.datasource.hikari.maximum-pool-size=1",
                    "spring.datasource.hikari.connection-timeout=30000"))
            .run();
  }

  @BeforeEach
  void insert() throws Exception {
    new Random(rows).nextBytes(content);
    id = ++rows;
    database.execute("INSERT INTO file (id) VALUES (" + id + ")");
    blobs = application.getBean(PgToaster.class).blobs("file", "content");
    resource = application.getBean(BlobResources.class).get("file", "content", id);
  }

  @Test
  void nullColumn_isWritable_butDoesNotExist() throws Exception {
    assertThat(resource.exists()).isFalse();
    assertThat(resource.isReadable()).isFalse();
    assertThat(resource.isWritable()).isTrue();
    assertThatThrownBy(resource::getInputStream).isInstanceOf(FileNotFoundException.class);
    assertThatThrownBy(resource::contentLength).isInstanceOf(FileNotFoundException.class);
    try (OutputStream out = resource.getOutputStream()) {
      out.write(content);
    }
    assertThat(resource.getContentAsByteArray()).isEqualTo(content);
  }

  @Test
  void missingRow_isNotWritable() {
    BlobResource none = BlobResource.of(blobs, -1);
    assertThat(none.exists()).isFalse();
    assertThat(none.isWritable()).isFalse();
    assertThatThrownBy(none::getOutputStream).isInstanceOf(FileNotFoundException.class);
    assertThatThrownBy(none::appendStream).isInstanceOf(FileNotFoundException.class);
    assertThatThrownBy(none::snapshot).isInstanceOf(FileNotFoundException.class);
  }

  @Test
  void metadata_describesTheBlob() throws Exception {
    blobs.append(id, content);
    assertThat(resource.exists()).isTrue();
    assertThat(resource.contentLength()).isEqualTo(content.length);
    assertThat(resource.lastModified()).isEqualTo(-1);
    assertThat(resource.withLastModified(Instant.ofEpochMilli(17)).lastModified()).isEqualTo(17);
    assertThat(resource.getFilename()).isNull();
    assertThat(resource.withFilename("x.wav").getFilename()).isEqualTo("x.wav");
    assertThat(resource.getDescription()).contains("file.content").contains("" + id);
    assertThat(resource).isEqualTo(resource.withFilename("x.wav"));
    blobs.seal(id);
    assertThat(resource.isWritable()).isFalse();
    assertThat(resource.exists()).isTrue();
  }

  @Test
  void outputStream_replaces() throws Exception {
    blobs.append(id, content);
    try (OutputStream out = resource.getOutputStream()) {
      out.write(content, 7, 100);
    }
    assertThat(resource.getContentAsByteArray()).isEqualTo(Arrays.copyOfRange(content, 7, 107));
  }

  @Test
  void outputStream_inARolledBackTransaction_keepsContent() {
    blobs.append(id, content);
    new TransactionTemplate(application.getBean(PlatformTransactionManager.class))
        .executeWithoutResult(
            status -> {
              try (OutputStream out = resource.getOutputStream()) {
                out.write(1);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
              assertThat(blobs.length(id)).isEqualTo(1);
              status.setRollbackOnly();
            });
    assertThat(blobs.length(id)).isEqualTo(content.length);
  }

  @Test
  void appendStream_appends() throws Exception {
    blobs.append(id, content);
    try (OutputStream out = resource.appendStream()) {
      out.write(content, 0, 10);
    }
    assertThat(resource.contentLength()).isEqualTo(content.length + 10);
  }

  @Test
  void openStream_holdsNoConnection() throws Exception {
    blobs.append(id, content);
    try (InputStream in = resource.getInputStream()) {
      in.read();
      assertThat(application.getBean(HikariDataSource.class).getHikariPoolMXBean())
          .satisfies(pool -> assertThat(pool.getActiveConnections()).isZero());
      assertThat(in.readAllBytes()).isEqualTo(Arrays.copyOfRange(content, 1, content.length));
    }
  }

  @Test
  void snapshot_doesNotSeeLaterAppends() throws Exception {
    blobs.append(id, content);
    BlobResource before = resource.snapshot();
    String tag = before.eTag();
    try (InputStream in = before.getInputStream()) {
      in.read();
      blobs.append(id, content);
      assertThat(in.readAllBytes()).hasSize(content.length - 1);
    }
    assertThat(before.contentLength()).isEqualTo(content.length);
    assertThat(before.getContentAsByteArray()).isEqualTo(content);
    assertThat(before.eTag()).isEqualTo(tag);
    assertThat(resource.contentLength()).isEqualTo(2L * content.length);
    assertThat(resource.eTag()).isNotEqualTo(tag);
  }

  @Test
  void discardedBytes_areNotPartOfTheResource() throws Exception {
    blobs.append(id, content);
    String tag = resource.eTag();
    blobs.discardBefore(id, 10_000);
    assertThat(resource.contentLength()).isEqualTo(content.length - 10_000);
    assertThat(resource.getContentAsByteArray())
        .isEqualTo(Arrays.copyOfRange(content, 10_000, content.length));
    assertThat(resource.eTag()).isNotEqualTo(tag);
    try (InputStream in = resource.snapshot().windows(new ByteRange(5, 100_005))) {
      assertThat(in.readAllBytes()).isEqualTo(Arrays.copyOfRange(content, 10_005, 110_005));
    }
  }

  @Test
  void streamOverChangedContent_fails() throws Exception {
    for (Runnable change :
        new Runnable[] {
          () -> blobs.write(id, 999_999, new byte[1]),
          () -> blobs.truncate(id, 10),
          () -> blobs.replace(id, content),
          () -> {
            blobs.delete(id);
            blobs.append(id, content);
          },
          () -> blobs.delete(id)
        }) {
      blobs.replace(id, content);
      try (InputStream in = resource.getInputStream()) {
        in.read();
        change.run();
        assertThatThrownBy(in::readAllBytes).isInstanceOf(IOException.class);
      }
    }
  }

  @Test
  void skip_movesForwardByAnyDistance() throws Exception {
    blobs.append(id, content);
    try (InputStream in = resource.getInputStream()) {
      assertThat(in.skip(10)).isEqualTo(10);
      assertThat(in.read()).isEqualTo(content[10] & 0xFF);
      assertThat(in.skip(900_000)).isEqualTo(900_000);
      assertThat(in.read()).isEqualTo(content[900_011] & 0xFF);
      assertThat(in.skip(5)).isEqualTo(5);
      assertThat(in.read()).isEqualTo(content[900_017] & 0xFF);
      assertThat(in.skip(-1)).isZero();
      assertThat(in.skip(1_000_000)).isEqualTo(99_982);
      assertThat(in.read()).isEqualTo(-1);
    }
    try (InputStream in = resource.getInputStream()) {
      java.io.ByteArrayOutputStream out = new java.io.ByteArrayOutputStream();
      StreamUtils.copyRange(in, out, 123_456, 654_321);
      assertThat(out.toByteArray()).isEqualTo(Arrays.copyOfRange(content, 123_456, 654_322));
    }
  }

  @Test
  void columnThatCannotDetectChanges_hasNoTag() throws Exception {
    database.execute("ALTER TABLE file ADD COLUMN plain bytea");
    BlobResource plain =
        application.getBean(BlobResources.class).get("file", "plain", id).withFilename("p");
    plain.append(new java.io.ByteArrayInputStream(content));
    assertThat(plain.eTag()).isNull();
    assertThat(plain.getContentAsByteArray()).isEqualTo(content);
  }
}
