package io.pgtoaster.spring.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.MeterRegistry;
import io.pgtoaster.column.AppendResult;
import io.pgtoaster.error.RowNotFoundException;
import io.pgtoaster.hibernate.blob.AppendableBlob;
import io.pgtoaster.hibernate.jsonb.KeyedJson;
import io.pgtoaster.spring.kit.TestDatabase;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.orm.jpa.JpaObjectRetrievalFailureException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** A repository interface that extends only the fragments. */
class RepositoryFragmentIT {
  @AutoClose private static ConfigurableApplicationContext application;
  private static MeetingRepository meetings;
  private static TransactionTemplate transaction;

  private final byte[] content = new byte[300_000];
  private Long id;

  @SpringBootApplication
  static class Application {}

  @BeforeAll
  static void start() throws Exception {
    application =
        new SpringApplicationBuilder(Application.class)
            .web(WebApplicationType.NONE)
            .properties(TestDatabase.create().properties("spring.jpa.hibernate.ddl-auto=create"))
            .run();
    meetings = application.getBean(MeetingRepository.class);
    transaction = new TransactionTemplate(application.getBean(PlatformTransactionManager.class));
  }

  @BeforeEach
  void save() {
    new Random(8).nextBytes(content);
    Map<String, Object> notes = Map.of("topic", "x", "people", Map.of("ann", 1));
    id = meetings.save(new Meeting("weekly", KeyedJson.of(notes))).id();
  }

  @Test
  void appendToNull_createsABlob() {
    AppendResult first = meetings.append(id, "audio", content);
    assertThat(first.offset()).isZero();
    AppendResult second = meetings.append(id, "audio", new ByteArrayInputStream(content));
    assertThat(second.offset()).isEqualTo(content.length);
    assertThat(meetings.read(id, "audio", 299_990, 20))
        .startsWith(Arrays.copyOfRange(content, 299_990, 300_000))
        .endsWith(Arrays.copyOf(content, 10));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    assertThat(meetings.read(id, "audio", out)).isEqualTo(600_000);
    assertThat(Arrays.copyOfRange(out.toByteArray(), 300_000, 600_000)).isEqualTo(content);
  }

  @Test
  void saveAll_appendsContentsInOneCall() {
    List<Meeting> many = IntStream.range(0, 10).mapToObj(RepositoryFragmentIT::recorded).toList();
    meetings.saveAll(many);
    for (int i = 0; i < 10; i++) {
      assertThat(meetings.read(many.get(i).id(), "audio", 0, 10)).isEqualTo(new byte[] {(byte) i});
    }
    MeterRegistry meters = application.getBean(MeterRegistry.class);
    assertThat(meters.get("pgtoaster.call").tag("operation", "blob.append_all").timer().count())
        .isEqualTo(1);
  }

  private static Meeting recorded(int number) {
    Meeting meeting = new Meeting("recorded", KeyedJson.of(Map.of()));
    meeting.audio(AppendableBlob.of(new byte[] {(byte) number}));
    return meeting;
  }

  @Test
  void readOfNull_isEmpty() {
    assertThat(meetings.read(id, "audio", 0, 10)).isEmpty();
    assertThat(meetings.read(id, "audio", new ByteArrayOutputStream())).isZero();
  }

  @Test
  void appendInARolledBackTransaction_isUndone() {
    meetings.append(id, "audio", content);
    transaction.executeWithoutResult(
        status -> {
          meetings.append(id, "audio", new byte[5]);
          assertThat(meetings.read(id, "audio", 300_000, 10)).hasSize(5);
          status.setRollbackOnly();
        });
    assertThat(meetings.read(id, "audio", 300_000, 10)).isEmpty();
  }

  @Test
  void appendToEntityOfTheSameTransaction_findsIt() {
    Long saved =
        transaction.execute(
            status -> {
              Long made = meetings.save(new Meeting("new", null)).id();
              meetings.append(made, "audio", new byte[3]);
              return made;
            });
    assertThat(meetings.read(saved, "audio", 0, 10)).hasSize(3);
  }

  @Test
  void patch_isFoundByKey() {
    int version = meetings.findById(id).orElseThrow().version();
    meetings.patch(
        id,
        "notes",
        notes -> {
          notes.set("people.bob", 2);
          notes.remove("topic");
        });
    assertThat(meetings.find(id, "notes", "people.bob", Integer.class)).hasValue(2);
    assertThat(meetings.find(id, "notes", "people.ann", Integer.class)).hasValue(1);
    assertThat(meetings.find(id, "notes", "topic", String.class)).isEmpty();
    Meeting after = meetings.findById(id).orElseThrow();
    assertThat(after.version()).isGreaterThan(version);
    assertThat(after.title()).isEqualTo("weekly");
  }

  @Test
  void nullDocument_isEmpty_andCannotBePatched() {
    Long without = meetings.save(new Meeting("none", null)).id();
    assertThat(meetings.find(without, "notes", "a", String.class)).isEmpty();
    assertThatThrownBy(() -> meetings.patch(without, "notes", notes -> notes.set("a", 1)))
        .isInstanceOf(InvalidDataAccessApiUsageException.class)
        .hasMessageContaining("null");
  }

  @Test
  void unknownEntityOrAttribute_isReported() {
    assertThatThrownBy(() -> meetings.append(-1L, "audio", content))
        .isInstanceOf(JpaObjectRetrievalFailureException.class)
        .hasRootCauseInstanceOf(RowNotFoundException.class)
        .hasMessageContaining("Meeting with id -1");
    assertThatThrownBy(() -> meetings.append(id, "title", content))
        .isInstanceOf(InvalidDataAccessApiUsageException.class)
        .hasMessageContaining("title");
    assertThatThrownBy(() -> meetings.find(id, "nothing", "a", String.class))
        .isInstanceOf(InvalidDataAccessApiUsageException.class);
  }
}
