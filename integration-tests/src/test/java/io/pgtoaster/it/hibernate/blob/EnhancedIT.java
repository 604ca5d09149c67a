package io.pgtoaster.it.hibernate.blob;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.BlobOptions;
import io.pgtoaster.hibernate.blob.AppendableBlob;
import io.pgtoaster.it.hibernate.kit.Orm;
import io.pgtoaster.it.kit.Database;
import io.pgtoaster.it.kit.PostgresServers;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.lang.invoke.MethodHandles;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.List;
import org.hibernate.Session;
import org.hibernate.bytecode.enhance.spi.DefaultEnhancementContext;
import org.hibernate.bytecode.enhance.spi.UnloadedClass;
import org.hibernate.bytecode.enhance.spi.UnloadedField;
import org.hibernate.bytecode.internal.bytebuddy.BytecodeProviderImpl;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Lazy attributes of enhanced entities are read on first use and can still find their row. */
final class EnhancedIT {
  private static final Class<? extends Lazy> TYPE = enhanced();

  private Database database;
  private Orm orm;

  /** The interface through which the tests use the entity. */
  public interface Lazy {
    void id(long value);

    void title(String value);

    AppendableBlob audio();

    void audio(AppendableBlob value);

    AppendableBlob notes();

    void notes(AppendableBlob value);
  }

  /** Enhances the class before it is loaded, as an application's build does. */
  private static Class<? extends Lazy> enhanced() {
    String name = EnhancedIT.class.getPackageName() + ".LazyTrack";
    DefaultEnhancementContext context =
        new DefaultEnhancementContext() {
          @Override
          public boolean hasLazyLoadableAttributes(UnloadedClass entity) {
            return true;
          }

          @Override
          public boolean isLazyLoadable(UnloadedField field) {
            return true;
          }
        };
    try (InputStream in = EnhancedIT.class.getResourceAsStream("LazyTrack.class")) {
      byte[] bytes =
          new BytecodeProviderImpl().getEnhancer(context).enhance(name, in.readAllBytes());
      return MethodHandles.lookup().defineClass(bytes).asSubclass(Lazy.class);
    } catch (IOException | IllegalAccessException e) {
      throw new AssertionError(e);
    }
  }

  @BeforeEach
  void open() throws Exception {
    database = PostgresServers.shared(PostgresServers.newest()).installed();
    database.run(
        "CREATE TABLE lazytrack (id bigint PRIMARY KEY, title text, audio bigint, notes bytea)");
    PgToaster.create(database.dataSource())
        .catalog()
        .attach("lazytrack", "audio", BlobOptions.defaults());
    orm = Orm.on(database).entities(TYPE).set("hibernate.hbm2ddl.auto", "none").build();
    Lazy lazy = TYPE.getDeclaredConstructor().newInstance();
    lazy.id(1);
    lazy.audio(AppendableBlob.of("audio"));
    lazy.notes(AppendableBlob.of("notes"));
    orm.inTransaction(s -> s.persist(lazy));
    orm.statements();
  }

  @AfterEach
  void close() throws SQLException {
    assertThat(database.number("SELECT count(*) FROM pgtoaster.store_1_head"))
        .isEqualTo(database.number("SELECT count(audio) FROM lazytrack"));
    orm.close();
  }

  private Lazy find(Session session) {
    return session.find(TYPE, 1L);
  }

  @Test
  void lazyBlobs_areSelectedOnFirstUse_andFindTheirRow() throws Exception {
    orm.inTransaction(
        s -> {
          Lazy lazy = find(s);
          assertThat(orm.sql()).allMatch(q -> !q.contains("audio") && !q.contains("notes"));
          lazy.notes().append("!");
          lazy.audio().append("!");
          assertThat(lazy.audio().length()).isEqualTo(6);
          assertThat(lazy.notes().length()).isEqualTo(6);
        });
  }

  @Test
  void unreadBlobs_areNotTouched() throws Exception {
    orm.inTransaction(s -> find(s).title("changed"));
    List<String> sql = orm.sql();
    assertThat(sql).hasSize(2);
    orm.inTransaction(s -> assertThat(find(s).audio().length()).isEqualTo(5));
    Lazy detached = orm.fromTransaction(this::find);
    detached.title("merged");
    orm.inTransaction(s -> s.merge(detached));
    orm.inTransaction(s -> assertThat(find(s).notes().length()).isEqualTo(5));
  }

  @Test
  void unreadBlobs_areReplacedOrDeleted() throws Exception {
    orm.inTransaction(
        s -> {
          find(s).audio(AppendableBlob.of("new"));
          find(s).notes(AppendableBlob.of("new"));
        });
    orm.inTransaction(
        s -> {
          assertThat(find(s).audio().length()).isEqualTo(3);
          assertThat(find(s).notes().length()).isEqualTo(3);
        });
    orm.inTransaction(
        s -> {
          find(s).audio(null);
          find(s).notes(null);
        });
    orm.inTransaction(
        s -> {
          assertThat(find(s).audio()).isNull();
          assertThat(find(s).notes()).isNull();
        });
  }

  @Test
  void readBlobOfADetachedEntity_keepsItsContentWhenMerged() throws Exception {
    Lazy detached =
        orm.fromTransaction(
            s -> {
              Lazy lazy = find(s);
              assertThat(lazy.audio().length()).isEqualTo(5);
              assertThat(lazy.notes().length()).isEqualTo(5);
              return lazy;
            });
    orm.inTransaction(
        s -> {
          Lazy merged = s.merge(detached);
          assertThat(merged.audio().append("!").end()).isEqualTo(6);
          assertThat(merged.notes().append("!").end()).isEqualTo(6);
        });
    orm.inTransaction(s -> s.remove(find(s)));
  }

  private static String text(AppendableBlob blob) {
    return new String(blob.read(0, (int) blob.length()), StandardCharsets.UTF_8);
  }

  private void persistSecond() throws Exception {
    Lazy second = TYPE.getDeclaredConstructor().newInstance();
    second.id(2);
    second.audio(AppendableBlob.of("second"));
    second.notes(AppendableBlob.of("second notes"));
    orm.inTransaction(s -> s.persist(second));
  }

  @Test
  void fetchedButUnusedBlobOfADetachedEntity_keepsItsContentWhenMerged() throws Exception {
    Lazy detached =
        orm.fromTransaction(
            s -> {
              Lazy lazy = find(s);
              assertThat(lazy.audio()).isNotNull();
              assertThat(lazy.notes()).isNotNull();
              return lazy;
            });
    detached.title("merged");
    orm.inTransaction(s -> s.merge(detached));
    orm.inTransaction(
        s -> {
          assertThat(find(s)).hasToString("merged");
          assertThat(text(find(s).audio())).isEqualTo("audio");
          assertThat(text(find(s).notes())).isEqualTo("notes");
        });
  }

  @Test
  void deserializedBlob_keepsItsContentWhenMerged() throws Exception {
    Lazy detached =
        orm.fromTransaction(
            s -> {
              Lazy lazy = find(s);
              lazy.audio(serialized(lazy.audio()));
              lazy.notes(serialized(lazy.notes()));
              s.evict(lazy);
              return lazy;
            });
    orm.inTransaction(
        s -> {
          Lazy merged = s.merge(detached);
          merged.audio().append("!");
          merged.notes().append("!");
          s.flush();
          merged.audio().append("?");
          merged.notes().append("?");
        });
    orm.inTransaction(
        s -> {
          assertThat(text(find(s).audio())).isEqualTo("audio!?");
          assertThat(text(find(s).notes())).isEqualTo("notes!?");
        });
  }

  private static AppendableBlob serialized(AppendableBlob blob) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(blob);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      return (AppendableBlob) in.readObject();
    }
  }

  @Test
  void selectedBlobOfANewEntity_isCopiedWhenMerged() throws Exception {
    Lazy second = TYPE.getDeclaredConstructor().newInstance();
    second.id(2);
    orm.inTransaction(
        s -> {
          second.audio(selected(s));
          s.merge(second);
        });
    orm.inTransaction(
        s -> {
          assertThat(text(s.find(TYPE, 2L).audio())).isEqualTo("audio");
          assertThat(text(find(s).audio())).isEqualTo("audio");
        });
  }

  private static AppendableBlob selected(Session session) {
    return session
        .createSelectionQuery("select audio from LazyTrack where id = 1", AppendableBlob.class)
        .getSingleResult();
  }

  @Test
  void selectedBlobAssignedToAnotherEntity_isCopied() throws Exception {
    persistSecond();
    orm.inTransaction(s -> s.find(TYPE, 2L).audio(selected(s)));
    assertCopied("second notes");
  }

  @Test
  void fetchedBlobAssignedToAnotherEntity_isCopied() throws Exception {
    persistSecond();
    orm.inTransaction(
        s -> {
          s.find(TYPE, 2L).audio(find(s).audio());
          s.find(TYPE, 2L).notes(find(s).notes());
        });
    assertCopied("notes");
  }

  private void assertCopied(String notes) throws Exception {
    orm.inTransaction(
        s -> {
          Lazy second = s.find(TYPE, 2L);
          assertThat(text(second.audio())).isEqualTo("audio");
          assertThat(text(second.notes())).isEqualTo(notes);
          second.audio().append("!");
          assertThat(text(find(s).audio())).isEqualTo("audio");
        });
  }
}
