package io.pgtoaster.it.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.DetachOptions;
import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.blob.BlobOptions;
import io.pgtoaster.column.ColumnName;
import io.pgtoaster.error.AccessDeniedException;
import io.pgtoaster.error.PgToasterException;
import io.pgtoaster.it.kit.Bytes;
import io.pgtoaster.it.kit.Database;
import io.pgtoaster.it.kit.Expect;
import io.pgtoaster.it.kit.PostgresServers;
import io.pgtoaster.it.kit.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The grants on the owner's table determine who may use a store. No role here is a superuser. */
@ParameterizedClass(name = "PostgreSQL {0}")
@MethodSource("io.pgtoaster.it.kit.PostgresServers#sampled")
class PrivilegesIT {
  private static final byte[] CONTENT = Bytes.random(1, 20_000);

  @Parameter int version;

  private Database database;
  private String owner;
  private String reader;
  private String writer;
  private String nobody;

  @BeforeEach
  void roles() {
    database = PostgresServers.shared(version).database();
    owner = database.name() + "_owner";
    reader = database.name() + "_reader";
    writer = database.name() + "_writer";
    nobody = database.name() + "_nobody";
    for (String role : new String[] {owner, reader, writer, nobody}) {
      database.run("CREATE ROLE " + role + " LOGIN");
    }
    database.run(
        "GRANT CREATE ON DATABASE " + database.name() + " TO " + owner,
        "GRANT CREATE ON SCHEMA public TO " + owner);
    PgToaster toaster = PgToaster.create(database.dataSource(owner));
    toaster.catalog().install();
    asOwner(
        "CREATE TABLE item (id int PRIMARY KEY, content bigint)",
        "INSERT INTO item VALUES (1), (2)",
        "GRANT SELECT ON item TO " + reader,
        "GRANT SELECT, INSERT, UPDATE, DELETE ON item TO " + writer);
    toaster.catalog().attach("item", "content", BlobOptions.defaults());
    blobs(owner).append(1, CONTENT);
    blobs(owner).append(1, Bytes.random(2, 3));
    blobs(owner).truncate(1, 20_000);
  }

  @AfterEach
  void drop() {
    for (String role : new String[] {owner, reader, writer, nobody}) {
      database.run("DROP OWNED BY " + role + " CASCADE", "DROP ROLE " + role);
    }
  }

  private void asOwner(String... statements) {
    try (Connection c = database.connect(owner)) {
      Sql.run(c, statements);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private BlobColumn blobs(String role) {
    return PgToaster.create(database.dataSource(role)).blobs("item", "content");
  }

  private void assertMayRead(String role) throws Exception {
    assertThat(blobs(role).read(1, 0, 30_000)).isEqualTo(CONTENT);
    try (var in = blobs(role).inputStream(1)) {
      assertThat(in.readAllBytes()).isEqualTo(CONTENT);
    }
    assertThat(blobs(role).verify(1)).isEmpty();
  }

  private void assertMayNotWrite(String role) {
    byte[] bytes = Bytes.random(3, 10);
    Expect.refused(AccessDeniedException.class, () -> blobs(role).append(1, bytes));
    Expect.refused(AccessDeniedException.class, () -> blobs(role).append(1, CONTENT));
    Expect.refused(AccessDeniedException.class, () -> blobs(role).append(2, bytes));
    Expect.refused(AccessDeniedException.class, () -> blobs(role).write(1, 0, bytes));
    Expect.refused(AccessDeniedException.class, () -> blobs(role).truncate(1, 0));
    Expect.refused(AccessDeniedException.class, () -> blobs(role).delete(1));
    Expect.refused(AccessDeniedException.class, () -> blobs(role).seal(1));
    assertThat(blobs(owner).read(1, 0, 30_000)).isEqualTo(CONTENT);
    assertThat(blobs(owner).info(2)).isEmpty();
  }

  @Test
  void reader_mayOnlyRead() throws Exception {
    assertMayRead(reader);
    assertMayNotWrite(reader);
  }

  @Test
  void writer_mayDoEverything() throws Exception {
    assertMayRead(writer);
    BlobColumn blobs = blobs(writer);
    blobs.append(2, CONTENT);
    blobs.append(2, Bytes.random(1, 10));
    blobs.write(2, 5, Bytes.random(1, 10));
    blobs.truncate(2, 100);
    blobs.replace(2, CONTENT);
    blobs.compact(2);
    blobs.delete(2);
    blobs.copy(1, 2);
    blobs.seal(2);
    assertThat(blobs.verify(2)).isEmpty();
    try (Connection c = database.connect(writer)) {
      Sql.run(c, "DELETE FROM item WHERE id = 1");
    }
    assertThat(database.number("SELECT count(*) FROM pgtoaster.store_1_head")).isEqualTo(1);
    Expect.refused(
        AccessDeniedException.class,
        () ->
            PgToaster.create(database.dataSource(writer))
                .catalog()
                .attach("item", "other", BlobOptions.defaults()));
  }

  @Test
  void roleWithoutPrivileges_mayDoNothing() {
    Expect.refused(AccessDeniedException.class, () -> blobs(nobody).read(1, 0, 10));
    Expect.refused(AccessDeniedException.class, () -> blobs(nobody).length(1));
    Expect.refused(AccessDeniedException.class, () -> blobs(nobody).open(1).close());
    assertMayNotWrite(nobody);
  }

  @Test
  void roleThatMayOnlyDeleteRows_leavesNoOrphan() throws Exception {
    asOwner("GRANT SELECT (id), DELETE ON item TO " + nobody);
    try (Connection c = database.connect(nobody)) {
      Sql.run(c, "DELETE FROM item WHERE id = 1");
    }
    assertThat(database.number("SELECT count(*) FROM pgtoaster.store_1_head")).isZero();
    assertThat(database.number("SELECT count(*) FROM pgtoaster.store_1_chunk")).isZero();
  }

  @Test
  void otherRole_mayNotAttachOrDetach() {
    PgToaster other = PgToaster.create(database.dataSource(nobody));
    Expect.refused(
        PgToasterException.class,
        () -> other.catalog().attach("item", "other", BlobOptions.defaults()));
    Expect.refused(
        PgToasterException.class,
        () ->
            other
                .catalog()
                .detach(
                    ColumnName.of("item", "content"),
                    DetachOptions.defaults().withDropContent(true)));
    assertThat(blobs(owner).read(1, 0, 30_000)).isEqualTo(CONTENT);
  }
}
