package io.pgtoaster.it.hibernate.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.hibernate.blob.AppendableBlob;
import io.pgtoaster.hibernate.blob.AppendableColumn;
import io.pgtoaster.it.hibernate.kit.Orm;
import io.pgtoaster.it.kit.Setting;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.NamedQuery;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The standard functions return the length of blobs and ranges of their bytes. Other arguments work
 * as usual.
 */
class BlobQueryIT {
  private static final byte[] BYTES = "0123456789".repeat(1000).getBytes(StandardCharsets.UTF_8);

  @AutoClose private static Orm orm;

  /** An entity with each kind of column. */
  @Entity(name = "Recording")
  @NamedQuery(
      name = "Recording.long",
      query = "select r.id from Recording r where length(r.audio) > 9")
  static class Recording {
    @Id long id;
    String title;
    AppendableBlob audio;

    @AppendableColumn(toaster = "default")
    AppendableBlob plain;

    @AppendableColumn(toaster = "default")
    @Column(columnDefinition = "text")
    AppendableBlob note;
  }

  @BeforeAll
  static void start() throws Exception {
    orm = Orm.on(Setting.newest().get(0)).entities(Recording.class).build();
    orm.inTransaction(
        s -> {
          Recording recording = new Recording();
          recording.id = 1;
          recording.title = "Überall";
          recording.audio = AppendableBlob.of(BYTES);
          recording.plain = AppendableBlob.of(BYTES);
          recording.note = AppendableBlob.of("Überall");
          s.persist(recording);
          Recording empty = new Recording();
          empty.id = 2;
          s.persist(empty);
        });
    orm.recorder().clear();
  }

  @BeforeEach
  void forgetStatements() {
    orm.recorder().clear();
  }

  @Test
  void length_countsBytes() throws Exception {
    for (String column : List.of("audio", "plain")) {
      for (String function : List.of("length", "octet_length")) {
        List<Long> lengths =
            orm.fromTransaction(
                s ->
                    s.createQuery(
                            "select %s(r.%s) from Recording r order by r.id"
                                .formatted(function, column),
                            Long.class)
                        .getResultList());
        assertThat(lengths).containsExactly(10_000L, null);
      }
    }
    List<Long> text =
        orm.fromTransaction(
            s ->
                s.createQuery("select length(r.note) from Recording r order by r.id", Long.class)
                    .getResultList());
    assertThat(text).containsExactly(8L, null);
    assertThat(orm.sql())
        .contains(
            "select pgtoaster.blob_length(r1_0.audio) from Recording r1_0 order by r1_0.id",
            "select cast(pg_catalog.octet_length(r1_0.plain) as bigint) from Recording r1_0 order"
                + " by r1_0.id");
  }

  @Test
  void substring_returnsARangeOfBytes() throws Exception {
    for (String column : List.of("audio", "plain")) {
      assertThat(bytes("substring(r.%s, 9995, 4)".formatted(column))).isEqualTo("4567");
      assertThat(bytes("substring(r.%s, 9995)".formatted(column))).isEqualTo("456789");
      assertThat(bytes("substring(r.%s from 1 for 10)".formatted(column))).isEqualTo("0123456789");
    }
    assertThat(bytes("substring(r.note, 3)")).isEqualTo("berall");
    assertThat(orm.sql().get(0))
        .isEqualTo(
            "select pgtoaster.substring(r1_0.audio,9995,cast(4 as integer)) from Recording r1_0"
                + " where r1_0.id=1");
  }

  private static String bytes(String expression) throws Exception {
    byte[] bytes =
        orm.fromTransaction(
            s ->
                s.createQuery(
                        "select %s from Recording r where r.id = 1".formatted(expression),
                        byte[].class)
                    .getSingleResult());
    return new String(bytes, StandardCharsets.UTF_8);
  }

  @Test
  void parameters_mayHaveAnyIntegerType() throws Exception {
    byte[] bytes =
        orm.fromTransaction(
            s ->
                s.createQuery(
                        "select substring(r.audio, :from, :count) from Recording r"
                            + " where length(r.audio) >= :least",
                        byte[].class)
                    .setParameter("from", 3L)
                    .setParameter("count", 2L)
                    .setParameter("least", 10_000L)
                    .getSingleResult());
    assertThat(new String(bytes, StandardCharsets.UTF_8)).isEqualTo("23");
  }

  @Test
  void namedQuery_isValidated() throws Exception {
    List<Long> ids =
        orm.fromTransaction(s -> s.createNamedQuery("Recording.long", Long.class).getResultList());
    assertThat(ids).containsExactly(1L);
  }

  @Test
  void criteria_callTheSameFunctions() throws Exception {
    Long length =
        orm.fromTransaction(
            s -> {
              var builder = s.getCriteriaBuilder();
              var query = builder.createQuery(Long.class);
              var recording = query.from(Recording.class);
              query
                  .select(builder.function("length", Long.class, recording.get("audio")))
                  .where(builder.equal(recording.get("id"), 1L));
              return s.createQuery(query).getSingleResult();
            });
    assertThat(length).isEqualTo(10_000L);
  }

  @Test
  void strings_haveTheStandardFunctions() throws Exception {
    Object[] row =
        orm.fromTransaction(
            s ->
                s.createQuery(
                        "select length(r.title), octet_length(r.title), substring(r.title, 1, 2)"
                            + " from Recording r where r.id = 1",
                        Object[].class)
                    .getSingleResult());
    assertThat(row).containsExactly(7, 8, "Üb");
    assertThat(orm.sql().get(0))
        .isEqualTo(
            "select character_length(r1_0.title),octet_length(r1_0.title),"
                + "substr(r1_0.title,1,2) from Recording r1_0 where r1_0.id=1");
    assertThatThrownBy(
            () ->
                orm.inTransaction(
                    s -> s.createQuery("select length(r.id) from Recording r", Object.class)))
        .hasMessageContaining("Parameter 1 of function 'character_length()'");
    assertThatThrownBy(
            () ->
                orm.inTransaction(
                    s -> s.createQuery("select length(r.audio, 2) from Recording r", Object.class)))
        .hasMessageContaining("length");
  }
}
