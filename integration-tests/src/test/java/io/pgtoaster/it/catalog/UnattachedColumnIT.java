package io.pgtoaster.it.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.blob.BlobOptions;
import io.pgtoaster.column.ToasterOptions;
import io.pgtoaster.it.kit.Database;
import io.pgtoaster.it.kit.PostgresServers;
import io.pgtoaster.jsonb.DocumentColumn;
import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Log messages about large values in columns that are not attached. */
class UnattachedColumnIT {
  private static final int LARGE = 1 << 20;

  private final Logger logger = Logger.getLogger("io.pgtoaster");
  private final List<String> warnings = new ArrayList<>();
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord record) {
          assertThat(record.getLevel()).isEqualTo(Level.WARNING);
          warnings.add(new SimpleFormatter().formatMessage(record));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };
  private Database database;
  private PgToaster toaster;

  @BeforeEach
  void open() {
    database = PostgresServers.shared(PostgresServers.newest()).installed();
    toaster = PgToaster.create(database.dataSource());
    logger.addHandler(handler);
  }

  @AfterEach
  void close() throws Exception {
    logger.removeHandler(handler);
    database.close();
  }

  /** The library warns once per table and process, so each test creates another table. */
  private void create(String table, String type) {
    database.run(
        "CREATE TABLE " + table + " (id int PRIMARY KEY, v " + type + ")",
        "INSERT INTO " + table + " VALUES (1), (2)");
  }

  @Test
  void growingUnattachedBlob_causesOneWarning() {
    create("warned_bytes", "bytea");
    BlobColumn blobs = toaster.blobs("warned_bytes", "v");
    blobs.append(1, new byte[LARGE]);
    assertThat(warnings).isEmpty();
    blobs.append(1, new byte[1]);
    assertThat(warnings)
        .containsExactly(
            "the column public.warned_bytes.v is not attached, so each change rewrites its value,"
                + " which has 1048577 bytes now; call catalog().attach(\"warned_bytes\", \"v\","
                + " BlobOptions.defaults()) on an empty column, or migration("
                + "ColumnName.of(\"warned_bytes\", \"v\")) to keep the content");
    blobs.append(1, new byte[1]);
    toaster.blobs("warned_bytes", "v").append(2, new byte[2 * LARGE]);
    assertThat(warnings).hasSize(1);
  }

  @Test
  void streamAndOverwrite_causeAWarning() {
    create("warned_stream", "bytea");
    toaster.blobs("warned_stream", "v").append(1, new ByteArrayInputStream(new byte[2 * LARGE]));
    assertThat(warnings).hasSize(1);
    create("warned_text", "text");
    BlobColumn text = toaster.blobs("warned_text", "v");
    text.append(1, new byte[] {'a'});
    byte[] large = new byte[LARGE + 1];
    java.util.Arrays.fill(large, (byte) 'b');
    text.write(1, 0, large);
    assertThat(warnings).hasSize(2);
  }

  @Test
  void documents_causeOneWarning_whateverWritesThem() {
    String half = "x".repeat(LARGE / 2);
    create("warned_put", "jsonb");
    DocumentColumn put = toaster.documents("warned_put", "v");
    put.put(1, Map.of("a", half));
    assertThat(warnings).isEmpty();
    put.put(1, Map.of("a", half, "b", half));
    put.put(2, Map.of("a", half, "b", half));
    assertThat(warnings).hasSize(1);
    assertThat(warnings.get(0)).contains("attach(\"warned_put\", \"v\", JsonOptions.defaults())");
    create("warned_edit", "jsonb");
    DocumentColumn edited = toaster.documents("warned_edit", "v");
    edited.put(1, Map.of("a", List.of(half)));
    edited.at(1, "a").append(half);
    assertThat(warnings).hasSize(2);
    create("warned_increment", "jsonb");
    database.run(
        "UPDATE warned_increment SET v = jsonb_build_object('n', 1, 'a', repeat('x', 2000000))");
    toaster.documents("warned_increment", "v").at(1, "n").increment(1);
    assertThat(warnings).hasSize(3);
    DocumentColumn inserted = toaster.documents("warned_insert", "v");
    database.run("CREATE TABLE warned_insert (id int PRIMARY KEY, v jsonb)");
    inserted.insert(1, Map.of("a", half, "b", half));
    assertThat(warnings).hasSize(4);
  }

  @Test
  void attachedColumn_causesNoWarning() {
    create("unwarned", "bytea");
    toaster.catalog().attach("unwarned", "v", BlobOptions.defaults());
    toaster.blobs("unwarned", "v").append(1, new byte[2 * LARGE]);
    create("unwarned_plain", "bytea");
    toaster.catalog().attach("unwarned_plain", "v", ToasterOptions.of("default"));
    toaster.blobs("unwarned_plain", "v").append(1, new byte[2 * LARGE]);
    assertThat(warnings).isEmpty();
  }
}
