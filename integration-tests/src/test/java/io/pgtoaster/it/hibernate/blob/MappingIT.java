package io.pgtoaster.it.hibernate.blob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.GcOptions;
import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.BlobOptions;
import io.pgtoaster.column.ColumnName;
import io.pgtoaster.hibernate.blob.AppendableBlob;
import io.pgtoaster.hibernate.blob.AppendableColumn;
import io.pgtoaster.it.hibernate.blob.Mappings.Album;
import io.pgtoaster.it.hibernate.blob.Mappings.ExcludedLog;
import io.pgtoaster.it.hibernate.blob.Mappings.IdentityLog;
import io.pgtoaster.it.hibernate.blob.Mappings.Logged;
import io.pgtoaster.it.hibernate.blob.Mappings.Noise;
import io.pgtoaster.it.hibernate.blob.Mappings.NotNullLog;
import io.pgtoaster.it.hibernate.blob.Mappings.OddLog;
import io.pgtoaster.it.hibernate.blob.Mappings.Page;
import io.pgtoaster.it.hibernate.blob.Mappings.PairLog;
import io.pgtoaster.it.hibernate.blob.Mappings.Report;
import io.pgtoaster.it.hibernate.blob.Mappings.Song;
import io.pgtoaster.it.hibernate.blob.Mappings.TenantLog;
import io.pgtoaster.it.hibernate.blob.Mappings.TextLog;
import io.pgtoaster.it.hibernate.blob.Mappings.TypedLog;
import io.pgtoaster.it.hibernate.blob.Mappings.UuidLog;
import io.pgtoaster.it.hibernate.kit.Orm;
import io.pgtoaster.it.kit.Database;
import io.pgtoaster.it.kit.PostgresServers;
import jakarta.persistence.ElementCollection;
import jakarta.persistence.Embeddable;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.EntityTransaction;
import jakarta.persistence.Id;
import jakarta.persistence.PersistenceConfiguration;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.hibernate.FlushMode;
import org.hibernate.Session;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Blobs find their row with any mapping of the entity. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class MappingIT {
  private Database database;
  private Orm orm;

  @BeforeAll
  void open() {
    database = PostgresServers.shared(PostgresServers.newest()).installed();
    database.run(Mappings.TABLES.toArray(String[]::new));
    var catalog = PgToaster.create(database.dataSource()).catalog();
    for (String column :
        List.of(
            "song.audio",
            "sound.audio",
            "report_body.body",
            "pairlog.log",
            "uuidlog.log",
            "identitylog.log",
            "typedlog.log",
            "excludedlog.log",
            "notnulllog.log",
            "page.log")) {
      String[] names = column.split("\\.", 2);
      catalog.attach(names[0], names[1], BlobOptions.defaults());
    }
    catalog.attach("tenantlog", "log", BlobOptions.defaults().withLeadingKey("tenant"));
    catalog.attach(ColumnName.of("Other", "Odd Log", "The Log"), BlobOptions.defaults());
    orm =
        Orm.on(database)
            .entities(Mappings.ALL.toArray(Class<?>[]::new))
            .set("hibernate.hbm2ddl.auto", "none")
            .build();
  }

  @AfterAll
  void close() throws SQLException {
    assertThat(
            PgToaster.create(database.dataSource())
                .catalog()
                .gc(GcOptions.defaults().withGrace(Duration.ZERO))
                .items())
        .as("content without a row")
        .isEmpty();
    orm.close();
  }

  static List<Logged> entities() {
    return List.of(
        new Song(),
        new Noise(),
        new Report(),
        new TenantLog(),
        new PairLog(),
        new UuidLog(),
        new IdentityLog(),
        new TypedLog(),
        new ExcludedLog(),
        new TextLog(),
        new OddLog(),
        new NotNullLog());
  }

  private static String text(AppendableBlob blob) {
    return new String(blob.read(0, 100), StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @MethodSource("entities")
  void content_isStoredChangedAndDeletedWithItsEntity(Logged entity) throws Exception {
    entity.log(AppendableBlob.of("a"));
    orm.inTransaction(s -> s.persist(entity));
    Object id = orm.factory().getPersistenceUnitUtil().getIdentifier(entity);
    Class<? extends Logged> type = entity.getClass();
    orm.inTransaction(
        s -> {
          Logged found = s.find(type, id);
          assertThat(text(found.log())).isEqualTo("a");
          found.log().append("b");
        });
    orm.inTransaction(
        s -> {
          Logged found = s.find(type, id);
          assertThat(text(found.log())).isEqualTo("ab");
          found.log(AppendableBlob.of("new"));
          s.flush();
          found.log().append("er");
        });
    orm.inTransaction(
        s -> {
          Logged found =
              s.createSelectionQuery("from " + type.getSimpleName(), type).getSingleResult();
          assertThat(text(found.log())).isEqualTo("newer");
          s.remove(found);
        });
  }

  @Test
  void versionedAppend_incrementsTheVersionOncePerFlush() throws Exception {
    TypedLog log = new TypedLog();
    log.id = 7;
    log.log(AppendableBlob.of("a"));
    orm.inTransaction(s -> s.persist(log));
    orm.inTransaction(
        s -> {
          TypedLog found = s.find(TypedLog.class, 7L);
          found.log().append("b");
          found.log().append("c");
          s.flush();
          assertThat(found.version).isEqualTo(1);
          s.flush();
          assertThat(found.version).isEqualTo(1);
          found.log().truncate(1);
        });
    assertThat(database.number("SELECT version FROM typedlog WHERE id = 7")).isEqualTo(2);
    orm.inTransaction(s -> s.remove(s.find(TypedLog.class, 7L)));
  }

  @Test
  void versionedAppendRolledBack_incrementsNoVersionLater() throws Exception {
    TypedLog log = new TypedLog();
    log.id = 8;
    log.log(AppendableBlob.of("a"));
    orm.inTransaction(s -> s.persist(log));
    try (Session s = orm.factory().openSession()) {
      s.beginTransaction();
      TypedLog found = s.find(TypedLog.class, 8L);
      found.log().append("lost");
      s.getTransaction().rollback();
      s.beginTransaction();
      s.flush();
      s.getTransaction().commit();
    }
    assertThat(database.number("SELECT version FROM typedlog WHERE id = 8")).isZero();
    orm.inTransaction(s -> s.remove(s.find(TypedLog.class, 8L)));
  }

  private IdentityLog numbered(Orm.Work<Session> after) throws Exception {
    IdentityLog log = new IdentityLog();
    log.log(AppendableBlob.of("content"));
    orm.inTransaction(
        s -> {
          s.persist(log);
          after.in(s);
        });
    return log;
  }

  @Test
  void identityRow_hasItsContentWithoutAFlush() throws Exception {
    List<Orm.Work<Session>> ways =
        List.of(s -> {}, Session::clear, s -> s.setHibernateFlushMode(FlushMode.MANUAL));
    for (Orm.Work<Session> way : ways) {
      IdentityLog log = numbered(way);
      orm.inTransaction(
          s -> {
            IdentityLog found = s.find(IdentityLog.class, log.id);
            assertThat(text(found.log())).isEqualTo("content");
            assertThat(found.version).isZero();
            s.remove(found);
          });
    }
  }

  @Test
  void entityManagerClosedInItsTransaction_writesAtTheCommit() {
    try (EntityManagerFactory factory =
        new PersistenceConfiguration("closed early")
            .managedClass(NotNullLog.class)
            .property("jakarta.persistence.nonJtaDataSource", orm.dataSource())
            .createEntityManagerFactory()) {
      NotNullLog log = new NotNullLog();
      log.log(AppendableBlob.of("content"));
      inEarlyClosed(factory, manager -> manager.persist(log));
      inEarlyClosed(
          factory,
          manager -> {
            NotNullLog found = manager.find(NotNullLog.class, 1L);
            assertThat(text(found.log())).isEqualTo("content");
            found.log(AppendableBlob.of("new"));
            manager.flush();
            found.log().append("er");
          });
      inEarlyClosed(
          factory,
          manager -> {
            NotNullLog found = manager.find(NotNullLog.class, 1L);
            assertThat(text(found.log())).isEqualTo("newer");
            manager.remove(found);
          });
    }
  }

  private static void inEarlyClosed(EntityManagerFactory factory, Consumer<EntityManager> work) {
    EntityManager manager = factory.createEntityManager();
    EntityTransaction transaction = manager.getTransaction();
    transaction.begin();
    work.accept(manager);
    manager.close();
    transaction.commit();
  }

  @Test
  void excludedAttribute_incrementsNoVersion() throws Exception {
    ExcludedLog log = new ExcludedLog();
    log.id = 7;
    orm.inTransaction(s -> s.persist(log));
    orm.inTransaction(s -> s.find(ExcludedLog.class, 7L).log(AppendableBlob.of("a")));
    orm.inTransaction(s -> s.find(ExcludedLog.class, 7L).log(AppendableBlob.of("b")));
    orm.inTransaction(s -> s.find(ExcludedLog.class, 7L).log(null));
    assertThat(database.number("SELECT version FROM excludedlog WHERE id = 7")).isZero();
    orm.inTransaction(s -> s.remove(s.find(ExcludedLog.class, 7L)));
  }

  @Test
  void orphanRemovalAndCascade_deleteContent() throws Exception {
    Album album = new Album();
    for (long id = 1; id <= 3; id++) {
      Page page = new Page();
      page.id = id;
      page.log(AppendableBlob.of("page"));
      album.pages.add(page);
    }
    orm.inTransaction(s -> s.persist(album));
    assertThat(database.number("SELECT count(*) FROM page WHERE log IS NOT NULL")).isEqualTo(3);
    orm.inTransaction(s -> s.find(Album.class, 1L).pages.remove(1));
    assertThat(database.number("SELECT count(*) FROM page")).isEqualTo(2);
    orm.inTransaction(s -> s.remove(s.find(Album.class, 1L)));
    assertThat(database.number("SELECT count(*) FROM page")).isZero();
  }

  @Test
  void secondaryTableWithoutARow_isReported() throws Exception {
    Report report = new Report();
    report.id = 7;
    report.title = "no body";
    orm.inTransaction(s -> s.persist(report));
    assertThatThrownBy(
            () -> orm.inTransaction(s -> s.find(Report.class, 7L).log(AppendableBlob.of("late"))))
        .hasStackTraceContaining("report_body");
    orm.inTransaction(s -> s.remove(s.find(Report.class, 7L)));
  }

  @Entity(name = "Unattached")
  static class Unattached {
    @Id long id = 1;
    AppendableBlob log = AppendableBlob.of("x");
  }

  @Test
  void unattachedColumn_isReportedWithAdviceToAttach() throws Exception {
    database.run("CREATE TABLE unattached (id bigint PRIMARY KEY, log bigint)");
    try (Orm other =
        Orm.on(database).entities(Unattached.class).set("hibernate.hbm2ddl.auto", "none").build()) {
      assertThatThrownBy(() -> other.inTransaction(s -> s.persist(new Unattached())))
          .hasStackTraceContaining(
              "the column public.unattached.log is not attached; call catalog().attach(");
      database.run("ALTER TABLE unattached ALTER log TYPE bytea USING NULL");
      assertThatThrownBy(() -> other.inTransaction(s -> s.persist(new Unattached())))
          .hasStackTraceContaining("attach it, or map it with");
    }
  }

  @Entity(name = "WrongType")
  static class WrongType {
    @Id long id = 1;

    @AppendableColumn String log;
  }

  @Embeddable
  static class Body {
    AppendableBlob log;
  }

  @Entity(name = "WithBody")
  static class WithBody {
    @Id long id = 1;
    Body body;
  }

  @Embeddable
  static class Outer {
    Body body;
  }

  @Entity(name = "WithNested")
  static class WithNested {
    @Id long id = 1;
    Outer outer;
  }

  @Entity(name = "WithList")
  static class WithList {
    @Id long id = 1;
    @ElementCollection List<AppendableBlob> logs;
  }

  @Entity(name = "WithBodies")
  static class WithBodies {
    @Id long id = 1;
    @ElementCollection List<Body> bodies;
  }

  @Test
  void wrongMappings_areRefusedAtStartup() {
    assertThatThrownBy(() -> Orm.on(database).entities(WrongType.class).build())
        .hasStackTraceContaining("WrongType.log: @AppendableColumn is for attributes of type");
    assertThatThrownBy(() -> Orm.on(database).entities(WithBody.class).build())
        .hasStackTraceContaining("WithBody.body.log: content cannot be an attribute of an embed");
    assertThatThrownBy(() -> Orm.on(database).entities(WithNested.class).build())
        .hasStackTraceContaining("WithNested.outer.body.log: content cannot be");
    assertThatThrownBy(() -> Orm.on(database).entities(WithList.class).build())
        .hasStackTraceContaining("WithList.logs: content cannot be");
    assertThatThrownBy(() -> Orm.on(database).entities(WithBodies.class).build())
        .hasStackTraceContaining("WithBodies.bodies.log: content cannot be");
  }
}
