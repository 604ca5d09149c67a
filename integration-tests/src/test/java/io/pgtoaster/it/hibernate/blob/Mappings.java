package io.pgtoaster.it.hibernate.blob;

import io.pgtoaster.hibernate.blob.AppendableBlob;
import io.pgtoaster.hibernate.blob.AppendableColumn;
import jakarta.persistence.CascadeType;
import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.Inheritance;
import jakarta.persistence.InheritanceType;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.OneToMany;
import jakarta.persistence.PrimaryKeyJoinColumn;
import jakarta.persistence.SecondaryTable;
import jakarta.persistence.Table;
import jakarta.persistence.Version;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.hibernate.annotations.OptimisticLock;

/** Entities with different mappings. */
final class Mappings {
  static final List<Class<?>> ALL =
      List.of(
          Media.class,
          Song.class,
          Sound.class,
          Noise.class,
          Report.class,
          TenantLog.class,
          PairLog.class,
          UuidLog.class,
          IdentityLog.class,
          TypedLog.class,
          ExcludedLog.class,
          TextLog.class,
          OddLog.class,
          NotNullLog.class,
          Album.class,
          Page.class);

  static final List<String> TABLES =
      List.of(
          "CREATE SEQUENCE media_seq INCREMENT 50",
          "CREATE TABLE media (id bigint PRIMARY KEY, title text)",
          "CREATE TABLE song (media_id bigint PRIMARY KEY REFERENCES media, audio bigint)",
          "CREATE TABLE sound (id bigint PRIMARY KEY, dtype text, audio bigint)",
          "CREATE TABLE report (id bigint PRIMARY KEY, title text)",
          "CREATE TABLE report_body (report_id bigint PRIMARY KEY REFERENCES report, body bigint)",
          "CREATE TABLE tenantlog (number int, tenant int, log bigint, PRIMARY KEY (tenant,"
              + " number))",
          "CREATE TABLE pairlog (b int, a text, log bigint, PRIMARY KEY (b, a))",
          "CREATE TABLE uuidlog (id uuid PRIMARY KEY, log bigint)",
          "CREATE TABLE identitylog (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, version"
              + " int, log bigint NOT NULL)",
          "CREATE TABLE typedlog (id bigint PRIMARY KEY, version int, log bigint)",
          "CREATE TABLE excludedlog (id bigint PRIMARY KEY, version int, log bigint)",
          "CREATE TABLE textlog (id bigint PRIMARY KEY, log text NOT NULL)",
          "CREATE SCHEMA \"Other\"",
          "CREATE TABLE \"Other\".\"Odd Log\" (\"The Id\" bigint PRIMARY KEY, \"The Log\" bigint)",
          "CREATE TABLE notnulllog (id bigint PRIMARY KEY, log bigint NOT NULL)",
          "CREATE TABLE album (id bigint PRIMARY KEY)",
          "CREATE TABLE page (id bigint PRIMARY KEY, album_id bigint, log bigint)");

  private Mappings() {}

  /** An entity with one attribute of this type, with any name and mapping. */
  interface Logged {
    default AppendableBlob log() {
      try {
        return (AppendableBlob) attribute(getClass()).get(this);
      } catch (IllegalAccessException e) {
        throw new LinkageError(getClass().getName(), e);
      }
    }

    default void log(AppendableBlob log) {
      try {
        attribute(getClass()).set(this, log);
      } catch (IllegalAccessException e) {
        throw new LinkageError(getClass().getName(), e);
      }
    }

    private static Field attribute(Class<?> entity) {
      return Arrays.stream(entity.getDeclaredFields())
          .filter(field -> field.getType() == AppendableBlob.class)
          .findAny()
          .orElseThrow();
    }
  }

  @Entity(name = "Media")
  @Inheritance(strategy = InheritanceType.JOINED)
  static class Media {
    @Id @GeneratedValue Long id;
    String title;
  }

  @Entity(name = "Song")
  @PrimaryKeyJoinColumn(name = "media_id")
  static class Song extends Media implements Logged {
    AppendableBlob audio;
  }

  @Entity(name = "Sound")
  static class Sound {
    @Id long id = 1;
  }

  @Entity(name = "Noise")
  static class Noise extends Sound implements Logged {
    AppendableBlob audio;
  }

  @Entity(name = "Report")
  @SecondaryTable(name = "report_body", pkJoinColumns = @PrimaryKeyJoinColumn(name = "report_id"))
  static class Report implements Logged {
    @Id long id = 1;
    String title;

    @Column(table = "report_body")
    AppendableBlob body;
  }

  @Embeddable
  record TenantKey(int tenant, int number) {}

  @Entity(name = "TenantLog")
  static class TenantLog implements Logged {
    @EmbeddedId TenantKey id = new TenantKey(1, 2);

    @AppendableColumn(leadingKey = "tenant")
    AppendableBlob log;
  }

  record Pair(String a, int b) {}

  @Entity(name = "PairLog")
  @IdClass(Pair.class)
  static class PairLog implements Logged {
    @Id String a = "x, y";
    @Id int b = 2;

    AppendableBlob log;
  }

  @Entity(name = "UuidLog")
  static class UuidLog implements Logged {
    @Id @GeneratedValue UUID id;

    AppendableBlob log;
  }

  @Entity(name = "IdentityLog")
  static class IdentityLog implements Logged {
    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    Long id;

    @Version int version;

    @Column(nullable = false)
    AppendableBlob log;
  }

  @Entity(name = "TypedLog")
  static class TypedLog implements Logged {
    @Id long id = 1;
    @Version int version;

    @AppendableColumn(versioned = true)
    AppendableBlob log;
  }

  @Entity(name = "ExcludedLog")
  static class ExcludedLog implements Logged {
    @Id long id = 1;
    @Version int version;

    @OptimisticLock(excluded = true)
    AppendableBlob log;
  }

  @Entity(name = "TextLog")
  static class TextLog implements Logged {
    @Id long id = 1;

    @AppendableColumn(toaster = "default")
    @Column(columnDefinition = "text", nullable = false)
    AppendableBlob log;
  }

  @Entity(name = "OddLog")
  @Table(name = "\"Odd Log\"", schema = "\"Other\"")
  static class OddLog implements Logged {
    @Id
    @Column(name = "\"The Id\"")
    long id = 1;

    @Column(name = "\"The Log\"")
    AppendableBlob log;
  }

  @Entity(name = "NotNullLog")
  static class NotNullLog implements Logged {
    @Id long id = 1;

    @Column(nullable = false)
    AppendableBlob log;
  }

  @Entity(name = "Album")
  static class Album {
    @Id long id = 1;

    @OneToMany(cascade = CascadeType.ALL, orphanRemoval = true)
    @JoinColumn(name = "album_id")
    List<Page> pages = new ArrayList<>();
  }

  @Entity(name = "Page")
  static class Page implements Logged {
    @Id long id;

    AppendableBlob log;
  }
}
