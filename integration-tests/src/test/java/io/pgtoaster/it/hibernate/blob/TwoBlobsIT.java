package io.pgtoaster.it.hibernate.blob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.BlobOptions;
import io.pgtoaster.hibernate.blob.AppendableBlob;
import io.pgtoaster.it.hibernate.kit.Orm;
import io.pgtoaster.it.kit.Database;
import io.pgtoaster.it.kit.PostgresServers;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.hibernate.Session;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two attributes of one entity never share or lose content. */
final class TwoBlobsIT {
  private Database database;
  @AutoClose private Orm orm;

  @Entity(name = "Take")
  static class Take {
    @Id long id = 1;
    AppendableBlob audio;
    AppendableBlob backup;
  }

  @BeforeEach
  void open() throws Exception {
    database = PostgresServers.shared(PostgresServers.newest()).installed();
    database.run("CREATE TABLE take (id bigint PRIMARY KEY, audio bigint, backup bigint)");
    var catalog = PgToaster.create(database.dataSource()).catalog();
    catalog.attach("take", "audio", BlobOptions.defaults());
    catalog.attach("take", "backup", BlobOptions.defaults());
    orm = Orm.on(database).entities(Take.class).set("hibernate.hbm2ddl.auto", "none").build();
    Take take = new Take();
    take.audio = AppendableBlob.of("audio");
    take.backup = AppendableBlob.of("backup");
    orm.inTransaction(s -> s.persist(take));
  }

  private static Take find(Session session) {
    return session.find(Take.class, 1L);
  }

  private static String text(AppendableBlob blob) {
    return new String(blob.read(0, (int) blob.length()), StandardCharsets.UTF_8);
  }

  private void assertContent(String audio, String backup) throws Exception {
    orm.inTransaction(
        s -> {
          assertThat(text(find(s).audio)).isEqualTo(audio);
          assertThat(text(find(s).backup)).isEqualTo(backup);
        });
  }

  @Test
  void blobOfTheOtherAttribute_isCopied() throws Exception {
    orm.inTransaction(
        s -> {
          Take take = find(s);
          take.backup = take.audio;
          s.flush();
          assertThat(take.backup).isNotSameAs(take.audio);
          take.audio = AppendableBlob.of("new");
        });
    assertContent("new", "audio");
  }

  @Test
  void blobMovedInOneFlush_isRefused() throws Exception {
    assertThatThrownBy(
            () ->
                orm.inTransaction(
                    s -> {
                      Take take = find(s);
                      take.backup = take.audio;
                      take.audio = AppendableBlob.of("new");
                    }))
        .hasStackTraceContaining("flush the session between the two");
    assertContent("audio", "backup");
  }

  @Test
  void newBlobOfBothAttributes_isWrittenToBoth() throws Exception {
    orm.inTransaction(
        s -> {
          Take take = find(s);
          take.audio = AppendableBlob.of("new");
          take.backup = take.audio;
          s.flush();
          take.backup.append("!");
        });
    assertContent("new", "new!");
  }

  @Test
  void newBlobOfBothAttributes_isInsertedIntoBoth() throws Exception {
    orm.inTransaction(s -> s.remove(find(s)));
    Take take = new Take();
    take.audio = AppendableBlob.of("first");
    take.backup = take.audio;
    orm.inTransaction(s -> s.persist(take));
    assertContent("first", "first");
  }

  @Test
  void bothBlobsOfManyNewEntities_areWritten() throws Exception {
    List<Take> many = new ArrayList<>();
    for (int i = 2; i < 12; i++) {
      Take take = new Take();
      take.id = i;
      take.audio = AppendableBlob.of("audio" + i);
      take.backup = AppendableBlob.of("backup" + i);
      many.add(take);
    }
    orm.statements();
    orm.inTransaction(s -> many.forEach(s::persist));
    assertThat(orm.sql()).as("handles, rows and contents").hasSize(2 + many.size() + 2);
    orm.inTransaction(
        s -> {
          for (Take take : many) {
            Take found = s.find(Take.class, take.id);
            assertThat(text(found.audio)).isEqualTo("audio" + take.id);
            assertThat(text(found.backup)).isEqualTo("backup" + take.id);
          }
        });
  }
}
