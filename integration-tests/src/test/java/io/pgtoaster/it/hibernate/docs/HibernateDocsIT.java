package io.pgtoaster.it.hibernate.docs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import io.pgtoaster.PgToaster;
import io.pgtoaster.hibernate.blob.AppendableBlob;
import io.pgtoaster.hibernate.blob.BlobLinks;
import io.pgtoaster.hibernate.jsonb.KeyedJson;
import io.pgtoaster.hibernate.query.DocumentExpressions;
import io.pgtoaster.it.hibernate.kit.Orm;
import io.pgtoaster.it.kit.Bytes;
import io.pgtoaster.it.kit.Setting;
import jakarta.persistence.criteria.CriteriaBuilder;
import jakarta.persistence.criteria.CriteriaQuery;
import jakarta.persistence.criteria.Expression;
import jakarta.persistence.criteria.Root;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.hibernate.Session;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** Runs the samples of docs/hibernate.md unchanged. */
class HibernateDocsIT {
  private static final Path HERE =
      Path.of("src/test/java/io/pgtoaster/it/hibernate/docs").toAbsolutePath();

  private static Orm orm(Class<?> entity) {
    return Orm.on(Setting.newest().get(0)).entities(entity).build();
  }

  @Test
  void moduleSamples_workAsDocumented() throws Exception {
    Path file = Files.createTempFile("take", ".flac");
    byte[] moreBytes = Bytes.random(2, 5000);
    try (Orm orm = orm(Recording.class)) {
      Files.write(file, Bytes.random(1, 1_000_000));
      long id = orm.fromTransaction(session -> persist(session, file));
      orm.inTransaction(
          session -> {
            // sample
            Recording recording = session.find(Recording.class, id);
            recording.audio.append(moreBytes); // now, in this transaction; the row is not touched
            byte[] range = recording.audio.read(1_000_000, 4_096);
            recording.notes.append("marks", Map.of("at", 12.5, "text", "chorus")); // at the flush
            recording.notes.set("artist", "Ada L.");
            // end
            assertThat(range).isEqualTo(Bytes.slice(moreBytes, 0, 4096));
            recording.notes.set("artist", "Ada");
          });
      orm.inTransaction(
          session -> {
            // sample
            List<Long> takes =
                session
                    .createSelectionQuery(
                        "select r.id from Recording r where r.notes['artist'] = 'Ada' and length(r.audio) > 1000",
                        Long.class)
                    .getResultList();
            String text =
                session
                    .createSelectionQuery(
                        "select r.notes['marks'][0].text from Recording r where r.id = :id",
                        String.class)
                    .setParameter("id", id)
                    .getSingleResult();
            // end
            assertThat(takes).containsExactly(id);
            assertThat(text).isEqualTo("chorus");
            assertThat(session.find(Recording.class, id).audio.length()).isEqualTo(1_005_000);
          });
      orm.inTransaction(
          session -> {
            // sample
            int changed =
                session
                    .createMutationQuery(
                        "update Recording r set r.notes['marks'][0].text = :text, r.notes['seen'] = true"
                            + " where r.notes['artist'] = 'Ada'")
                    .setParameter("text", "verse")
                    .executeUpdate();
            // end
            assertThat(changed).isEqualTo(1);
            Recording recording = session.find(Recording.class, id);
            assertThat(recording.notes.get("marks[0].text", String.class)).contains("verse");
            assertThat(recording.notes.get("seen", Boolean.class)).contains(true);
            recording.notes.set("tempo", 120);
          });
      orm.inTransaction(
          session -> {
            // sample
            CriteriaBuilder builder = session.getCriteriaBuilder();
            CriteriaQuery<String> query = builder.createQuery(String.class);
            Root<Recording> recording = query.from(Recording.class);
            Expression<Integer> tempo =
                DocumentExpressions.get(recording.get("notes"), "tempo", Integer.class);
            query
                .select(recording.get("title"))
                .where(builder.gt(tempo, 100))
                .orderBy(builder.desc(tempo));
            // end
            assertThat(session.createQuery(query).getResultList()).containsExactly("Take 1");
          });
    } finally {
      Files.delete(file);
    }
  }

  private static long persist(Session session, Path file) {
    // sample
    Recording recording = new Recording();
    recording.title = "Take 1";
    recording.audio = AppendableBlob.of(file); // read when the session is flushed
    recording.notes = KeyedJson.of(Map.of("artist", "Ada", "marks", List.of()));
    session.persist(recording);
    // end
    return recording.id;
  }

  @Test
  void json_matchesThePage() throws Exception {
    // sample
    BlobLinks links =
        (owner, attribute) -> "/recordings/" + ((Recording) owner).id + "/" + attribute;
    JsonMapper mapper = links.addTo(JsonMapper.builder()).build();
    // end
    JsonMapper ofFields =
        mapper
            .rebuild()
            .changeDefaultVisibility(v -> v.withFieldVisibility(Visibility.ANY))
            .build();
    Recording recording = new Recording();
    recording.audio = AppendableBlob.of(new byte[48_000]);
    recording.notes = KeyedJson.of(Map.of("artist", "Ada"));
    try (Orm orm = orm(Recording.class)) {
      orm.inTransaction(session -> session.persist(recording));
      orm.inTransaction(
          session ->
              assertThat(ofFields.writeValueAsString(session.find(Recording.class, recording.id)))
                  .contains(
                      "\"audio\":{\"length\":48000,\"href\":\"/recordings/"
                          + recording.id
                          + "/audio\"}",
                      "\"notes\":{\"artist\":\"Ada\"}"));
    }
  }

  @Test
  void coreSamples_workAsDocumented() throws Exception {
    byte[] bytes = "spoken".getBytes(UTF_8);
    try (Orm orm = orm(Memo.class)) {
      PgToaster.create(orm.database().dataSource())
          .catalog()
          .attach("memo", "audio", io.pgtoaster.blob.BlobOptions.defaults());
      orm.inTransaction(
          session -> {
            // sample
            Memo memo = new Memo();
            memo.id = 7L;
            session.persist(memo);
            session.flush(); // inserts the row now
            session.doWork(c -> PgToaster.on(c).blobs("memo", "audio").append(memo.id, bytes));
            // end
          });
      assertThat(PgToaster.create(orm.database().dataSource()).blobs("memo", "audio").length(7))
          .isEqualTo(bytes.length);
      orm.inTransaction(s -> assertThat(s.find(Memo.class, 7L).audio).isPositive());
    }
  }

  @Test
  void samples_matchThePage() throws IOException {
    List<String> page = new ArrayList<>();
    StringBuilder sample = null;
    for (String line :
        Files.readAllLines(HERE.resolve("../../../../../../../../../docs/hibernate.md"))) {
      if (line.equals("```java")) {
        sample = new StringBuilder();
      } else if (line.equals("```") && sample != null) {
        page.add(sample.toString());
        sample = null;
      } else if (sample != null) {
        sample.append(words(line));
      }
    }
    StringBuilder here = new StringBuilder();
    for (String name : List.of("Recording", "Memo", "HibernateDocsIT")) {
      Files.readAllLines(HERE.resolve(name + ".java")).forEach(line -> here.append(words(line)));
    }
    String code = here.toString().replace("(file)", words("(Path.of(\"take-1.flac\"))"));
    assertThat(page).hasSize(9).allSatisfy(s -> assertThat(code).contains(s));
  }

  /** Removes comments and white space, because the formatter adds line breaks. */
  private static String words(String line) {
    return line.replaceAll("//.*", "").replaceAll("\\s", "");
  }
}
