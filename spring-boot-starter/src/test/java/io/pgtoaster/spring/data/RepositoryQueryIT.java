package io.pgtoaster.spring.data;

import static io.pgtoaster.spring.data.DocumentSpecifications.contains;
import static io.pgtoaster.spring.data.DocumentSpecifications.hasPath;
import static io.pgtoaster.spring.data.DocumentSpecifications.hasValue;
import static io.pgtoaster.spring.data.DocumentSpecifications.matches;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.pgtoaster.hibernate.jsonb.KeyedJson;
import io.pgtoaster.hibernate.query.DocumentExpressions;
import io.pgtoaster.spring.test.PgToasterTest;
import jakarta.persistence.EntityManager;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.data.jpa.test.autoconfigure.DataJpaTest;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.data.domain.Page;
import org.springframework.data.domain.PageRequest;
import org.springframework.data.domain.Sort;
import org.springframework.data.jpa.domain.Specification;
import org.springframework.data.jpa.repository.support.JpaRepositoryFactory;
import org.springframework.data.repository.Repository;
import org.springframework.test.context.ContextConfiguration;

/** Document paths in Spring Data queries: @Query, Specifications, method names. */
@DataJpaTest(properties = "spring.jpa.hibernate.ddl-auto=create")
@ContextConfiguration(classes = RepositoryQueryIT.Application.class)
@PgToasterTest
class RepositoryQueryIT {
  @Autowired private QueriedMeetings meetings;
  @Autowired private EntityManager entities;

  @SpringBootConfiguration
  @EnableAutoConfiguration
  static class Application {}

  @BeforeEach
  void save() {
    save("a", Map.of("topic", "x", "people", Map.of("ann", "chair"), "minutes", 30));
    save("b", Map.of("topic", "x", "people", Map.of("ann", "guest"), "minutes", 90));
    save("c", Map.of("topic", "y", "minutes", 60));
  }

  private void save(String title, Map<String, Object> notes) {
    meetings.save(new Meeting(title, KeyedJson.of(notes)));
  }

  private static List<String> titles(Iterable<Meeting> found) {
    List<String> titles = new ArrayList<>();
    found.forEach(meeting -> titles.add(meeting.title()));
    return titles;
  }

  @Test
  void query_comparesPaths() {
    assertThat(titles(meetings.about("x"))).containsExactly("a", "b");
    assertThat(meetings.withAnn("chair")).containsExactly("a");
    assertThat(meetings.with("ann", "guest")).containsExactly("b");
  }

  @Test
  void modifyingQuery_assignsToPaths() {
    assertThat(meetings.appoint("x", Map.of("since", 2026))).isEqualTo(2);
    assertThat(titles(meetings.findAll(hasValue("notes", "people.bob.since", 2026))))
        .containsExactlyInAnyOrder("a", "b");
    assertThat(meetings.dismiss()).isEqualTo(3);
    assertThat(meetings.count(hasPath("notes", "people.bob"))).isZero();
  }

  @Test
  void specifications_compose() {
    Specification<Meeting> ofX = hasValue("notes", "topic", "x");
    assertThat(titles(meetings.findAll(ofX.and(hasValue("notes", "minutes", 90)))))
        .containsExactly("b");
    assertThat(titles(meetings.findAll(Specification.not(hasPath("notes", "people")))))
        .containsExactly("c");
    assertThat(
            titles(meetings.findAll(contains("notes", Map.of("people", Map.of("ann", "chair"))))))
        .containsExactly("a");
    assertThat(
            titles(
                meetings.findAll(
                    (root, query, builder) ->
                        builder.gt(
                            DocumentExpressions.get(root.get("notes"), "minutes", Integer.class),
                            45),
                    PageRequest.of(0, 1, Sort.by("title")))))
        .containsExactly("b");
  }

  @Test
  void specification_searchesByPage() {
    save("d", Map.of("topic", "the budget of the year", "text", "x ".repeat(9000)));
    save("e", Map.of("text", "x ".repeat(9000) + "budgets"));
    entities.flush();
    Page<Meeting> first =
        meetings.findAll(matches("notes", "budget"), PageRequest.of(0, 1, Sort.by("title")));
    assertThat(titles(first)).containsExactly("d");
    assertThat(first.getTotalElements()).isEqualTo(2);
    assertThat(titles(meetings.findAll(matches("notes", "budget -year")))).containsExactly("e");
  }

  @Test
  void specification_ordersByAPath() {
    Specification<Meeting> longestFirst =
        (root, query, builder) -> {
          query.orderBy(
              builder.desc(DocumentExpressions.get(root.get("notes"), "minutes", Integer.class)));
          return null;
        };
    assertThat(titles(meetings.findAll(longestFirst))).containsExactly("b", "c", "a");
  }

  @Test
  void derivedQuery_comparesWholeDocuments() {
    var derived = new JpaRepositoryFactory(entities).getRepository(Derived.class);
    assertThat(titles(derived.findByNotes(KeyedJson.of(Map.of("minutes", 60, "topic", "y")))))
        .containsExactly("c");
    assertThat(derived.countByAudioIsNull()).isEqualTo(3);
  }

  interface Derived extends Repository<Meeting, Long> {
    List<Meeting> findByNotes(KeyedJson<?> notes);

    long countByAudioIsNull();
  }

  interface IntoDocument extends Repository<Meeting, Long> {
    List<Meeting> findByNotesTopic(String topic);
  }

  interface IntoBlob extends Repository<Meeting, Long> {
    List<Meeting> findByAudioSize(long size);
  }

  interface Unknown extends Repository<Meeting, Long> {
    List<Meeting> findByTitel(String title);
  }

  private FailureAnalysis analysis(Class<?> repository) {
    Throwable failure =
        catchThrowable(() -> new JpaRepositoryFactory(entities).getRepository(repository));
    assertThat(failure).isNotNull();
    return new DerivedQueryFailureAnalyzer().analyze(failure);
  }

  @Test
  void methodNameWithAPathIntoContent_isRefusedWithAdvice() {
    FailureAnalysis document = analysis(IntoDocument.class);
    assertThat(document.getDescription()).contains("'notes'", "'topic'");
    assertThat(document.getAction()).contains("e.notes['topic'] = :value", "hasValue(\"notes\"");
    FailureAnalysis blob = analysis(IntoBlob.class);
    assertThat(blob.getDescription()).contains("'audio'", "'size'");
    assertThat(blob.getAction()).contains("length(e.audio)");
    assertThat(analysis(Unknown.class)).isNull();
  }

  @Test
  void samplesOfThePage_run() throws IOException {
    String tests = "src/test/java/io/pgtoaster/spring/";
    StringBuilder code = new StringBuilder();
    for (String file : List.of("data/QueriedMeetings.java", "data/RepositoryQueryIT.java")) {
      code.append(Files.readString(Path.of(tests, file)).replaceAll("\\s", ""));
    }
    String page = Files.readString(Path.of("../docs/spring.md"));
    List<String> samples =
        Pattern.compile("```java\n(.*?)```", Pattern.DOTALL)
            .matcher(
                page.substring(page.indexOf("## Queries"), page.indexOf("## What is configured")))
            .results()
            .map(found -> found.group(1).replaceAll("\\s", ""))
            .toList();
    assertThat(samples).hasSize(5).allSatisfy(s -> assertThat(code.toString()).contains(s));
  }

  @Test
  void unsupportedPathType_isRefused() {
    assertThatThrownBy(() -> meetings.findAll(hasValue("notes", "topic", List.of())))
        .hasStackTraceContaining("a path of a query cannot have the type");
  }
}
