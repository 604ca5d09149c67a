package io.pgtoaster.springai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.PgToaster;
import io.pgtoaster.column.ColumnName;
import io.pgtoaster.embedded.EmbeddedPostgres;
import io.pgtoaster.embedded.Home;
import io.pgtoaster.embedded.PostgresBinaries;
import io.pgtoaster.spring.boot.PgToasterAutoConfiguration;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.ai.chat.memory.ChatMemoryRepository;
import org.springframework.ai.chat.memory.InMemoryChatMemoryRepository;
import org.springframework.ai.chat.memory.MessageWindowChatMemory;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.SystemMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.ai.content.Media;
import org.springframework.ai.content.MediaContent;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.util.MimeTypeUtils;

class PgToasterChatMemoryRepositoryIT {
  @AutoClose private static EmbeddedPostgres postgres;

  @BeforeAll
  static void start() {
    postgres =
        EmbeddedPostgres.builder(PostgresBinaries.fromClasspath(Home.cacheDirectory()))
            .temporary()
            .setting("fsync", "off")
            .start();
  }

  private static ApplicationContextRunner application(String... properties) {
    return new ApplicationContextRunner()
        .withConfiguration(
            AutoConfigurations.of(
                DataSourceAutoConfiguration.class,
                DataSourceTransactionManagerAutoConfiguration.class,
                PgToasterAutoConfiguration.class,
                PgToasterChatMemoryAutoConfiguration.class))
        .withPropertyValues(
            "spring.datasource.url=" + postgres.jdbcUrl("postgres"),
            "spring.datasource.username=" + postgres.user(),
            "spring.datasource.password=" + postgres.password())
        .withPropertyValues(properties);
  }

  private interface Use {
    void run(ChatMemoryRepository repository, ConfigurableApplicationContext context)
        throws Exception;
  }

  private static void withRepository(Use use) {
    application("pgtoaster.chat-memory.table=chat", "pgtoaster.chat-memory.create-table=true")
        .run(
            context ->
                use.run(
                    context.getBean(ChatMemoryRepository.class),
                    context.getSourceApplicationContext()));
  }

  private static List<Message> messages() {
    Map<String, Object> metadata = new HashMap<>();
    metadata.put("int", 1);
    metadata.put("long", 1L);
    metadata.put("double", 1.0E10);
    metadata.put("float", 1.5f);
    metadata.put("decimal", new BigDecimal("1.50"));
    metadata.put("flag", true);
    metadata.put("when", Instant.parse("2026-11-29T10:00:00.123456789Z"));
    metadata.put("uuid", UUID.fromString("123e4567-e89b-12d3-a456-426614174000"));
    metadata.put("list", List.of(1, "two", List.of(3L), Map.of("four", 4.0)));
    metadata.put("set", Set.of("a", "b"));
    metadata.put("map", Map.of("b", 1, "a", Map.of("$Long", "5")));
    metadata.put("dollar", Map.of("$map", 1));
    metadata.put("empty", Map.of());
    AssistantMessage.ToolCall call =
        new AssistantMessage.ToolCall(
            "call_1", "function", "weather", "{\"city\" :  \"Berlin\", \"days\": 1.50}");
    Media uri =
        Media.builder()
            .mimeType(MimeTypeUtils.IMAGE_PNG)
            .data(URI.create("https://example.com/a.png"))
            .name("a picture")
            .build();
    Media bytes =
        Media.builder()
            .mimeType(MimeTypeUtils.parseMimeType("audio/mpeg;rate=8000"))
            .data(new byte[] {0, 1, -1})
            .id("media-1")
            .name("noise")
            .build();
    return List.of(
        SystemMessage.builder().text("Be brief.").metadata(metadata).build(),
        new UserMessage("Hello \"you\" 🎉\n"),
        UserMessage.builder().text("What?").media(uri, bytes).metadata(metadata).build(),
        new AssistantMessage("An answer"),
        AssistantMessage.builder()
            .content(null)
            .properties(metadata)
            .toolCalls(List.of(call, call))
            .build(),
        AssistantMessage.builder().content("").media(List.of(bytes)).build(),
        ToolResponseMessage.builder()
            .responses(
                List.of(
                    new ToolResponseMessage.ToolResponse("call_1", "weather", "{\"rain\" : 1.0}"),
                    new ToolResponseMessage.ToolResponse("call_2", "weather", "")))
            .metadata(metadata)
            .build());
  }

  /** Compares the parts, because media do not implement equals. */
  private static void same(List<Message> read, List<Message> written) {
    assertThat(read).hasSameSizeAs(written);
    for (int i = 0; i < written.size(); i++) {
      Message message = written.get(i);
      assertThat(read.get(i)).hasSameClassAs(message);
      assertThat(read.get(i).getText()).isEqualTo(message.getText());
      assertThat(read.get(i).getMetadata()).isEqualTo(message.getMetadata());
      assertThat(media(read.get(i))).usingRecursiveComparison().isEqualTo(media(message));
      if (message instanceof AssistantMessage assistant) {
        assertThat(((AssistantMessage) read.get(i)).getToolCalls())
            .isEqualTo(assistant.getToolCalls());
      }
      if (message instanceof ToolResponseMessage tool) {
        assertThat(((ToolResponseMessage) read.get(i)).getResponses())
            .isEqualTo(tool.getResponses());
      }
    }
  }

  private static List<Media> media(Message message) {
    return message instanceof MediaContent content ? content.getMedia() : List.of();
  }

  @Test
  void bytesInMetadata_areReadBack() {
    withRepository(
        (repository, context) -> {
          Message signed =
              AssistantMessage.builder()
                  .content("a")
                  .properties(Map.of("signatures", List.of(new byte[] {0, -1})))
                  .build();
          repository.saveAll("bytes", List.of(signed));
          assertThat(repository.findByConversationId("bytes").get(0).getMetadata())
              .extractingByKey("signatures")
              .usingRecursiveComparison()
              .isEqualTo(List.of(new byte[] {0, -1}));
        });
  }

  /** Spring AI's JDBC repository stores only texts and types. */
  @Test
  void toolCallsAndResponses_areKeptInAConversation() {
    withRepository(
        (repository, context) -> {
          for (int turn = 1; turn <= messages().size(); turn++) {
            repository.saveAll("tools", messages().subList(0, turn));
          }
          same(repository.findByConversationId("tools"), messages());
        });
  }

  /** The repository of Spring AI for JDBC drops all metadata except its own time stamp. */
  @Test
  void timeStamps_areKept_whenTheConversationIsSavedAgain() {
    withRepository(
        (repository, context) -> {
          Instant time = Instant.parse("2026-11-29T10:00:00.123456789Z");
          Map<String, Object> metadata =
              Map.of("time", time, "zone", time.atZone(ZoneId.of("UTC")));
          repository.saveAll(
              "time", List.of(UserMessage.builder().text("a").metadata(metadata).build()));
          List<Message> next = new ArrayList<>(repository.findByConversationId("time"));
          next.add(new AssistantMessage("b"));
          repository.saveAll("time", next);
          assertThat(repository.findByConversationId("time").get(0).getMetadata())
              .containsAllEntriesOf(metadata);
        });
  }

  /** Models of OpenAI return such metadata. */
  @Test
  void optionalMetadata_comesBackAsItsValue() {
    withRepository(
        (repository, context) -> {
          repository.saveAll(
              "optional",
              List.of(
                  AssistantMessage.builder()
                      .content("a")
                      .properties(Map.of("refusal", Optional.of("no"), "none", Optional.empty()))
                      .build()));
          assertThat(repository.findByConversationId("optional").get(0).getMetadata())
              .containsEntry("refusal", "no")
              .containsEntry("none", null);
        });
  }

  record Reason(String why, int code) {}

  @Test
  void metadataOfAnotherClass_isReadBackAsAMap() {
    withRepository(
        (repository, context) -> {
          repository.saveAll(
              "class",
              List.of(
                  AssistantMessage.builder()
                      .content("a")
                      .properties(Map.of("reason", new Reason("length", 3)))
                      .build()));
          assertThat(repository.findByConversationId("class").get(0).getMetadata())
              .containsEntry("reason", Map.of("why", "length", "code", 3));
        });
  }

  @Test
  void conversations_areListedAndDeleted() {
    withRepository(
        (repository, context) -> {
          assertThat(repository.findByConversationId("unknown")).isEmpty();
          repository.deleteByConversationId("unknown");
          repository.saveAll("list a", messages());
          repository.saveAll("list b", messages());
          assertThat(repository.findConversationIds()).contains("list a", "list b");
          repository.deleteByConversationId("list a");
          repository.saveAll("list b", List.of());
          assertThat(repository.findConversationIds()).doesNotContain("list a", "list b");
          assertThat(repository.findByConversationId("list a")).isEmpty();
        });
  }

  @Test
  void idsAndMessagesThatAreNotValid_areRejected() {
    withRepository(
        (repository, context) -> {
          assertThatThrownBy(() -> repository.findByConversationId(null))
              .isInstanceOf(IllegalArgumentException.class);
          assertThatThrownBy(() -> repository.saveAll(" ", messages()))
              .hasMessage("conversationId cannot be null or empty");
          assertThatThrownBy(() -> repository.saveAll("a", null))
              .hasMessage("messages cannot be null");
          assertThatThrownBy(() -> repository.deleteByConversationId("x".repeat(3_000)))
              .isInstanceOf(IllegalArgumentException.class)
              .hasMessageContaining("the maximum is 2600");
        });
  }

  @Test
  void calls_joinTheTransaction() {
    withRepository(
        (repository, context) -> {
          TransactionTemplate transaction =
              new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
          repository.saveAll("kept", messages());
          transaction.executeWithoutResult(
              status -> {
                repository.saveAll("rolled back", messages());
                repository.deleteByConversationId("kept");
                assertThat(repository.findConversationIds())
                    .contains("rolled back")
                    .doesNotContain("kept");
                status.setRollbackOnly();
              });
          assertThat(repository.findConversationIds())
              .contains("kept")
              .doesNotContain("rolled back");
          List<Message> other = List.of(new UserMessage("again"), messages().get(0));
          repository.saveAll("rolled back", other);
          same(repository.findByConversationId("rolled back"), other);
        });
  }

  @Test
  void metadataWithOneUnusualKey_isReadBackUnchanged() {
    withRepository(
        (repository, context) -> {
          List<Message> unusual =
              List.of(UserMessage.builder().text("a").metadata(Map.of("$foo", 1)).build());
          repository.saveAll("unusual", unusual);
          same(repository.findByConversationId("unusual"), unusual);
        });
  }

  @Test
  void readOfATransactionThatRollsBack_isForgotten() {
    withRepository(
        (repository, context) -> {
          TransactionTemplate transaction =
              new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
          List<Message> more = List.of(new UserMessage("first"), new UserMessage("more"));
          repository.saveAll("undone", more.subList(0, 1));
          transaction.executeWithoutResult(
              status -> {
                repository.saveAll("undone", more);
                same(repository.findByConversationId("undone"), more);
                status.setRollbackOnly();
              });
          repository.saveAll("undone", more);
          same(repository.findByConversationId("undone"), more);
        });
  }

  /** The first attempt fails; the transaction continues. */
  @Test
  void otherWriterDuringATransaction_isDetected() {
    withRepository(
        (repository, context) -> {
          PgToasterChatMemoryRepository other = other(context);
          TransactionTemplate transaction =
              new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
          for (List<Message> start : List.of(List.<Message>of(), messages())) {
            String id = "transaction " + start.size();
            repository.saveAll(id, start);
            transaction.executeWithoutResult(
                status -> {
                  List<Message> mine = new ArrayList<>(repository.findByConversationId(id));
                  mine.add(new UserMessage("mine"));
                  inAnotherThread(() -> addTo(other, id, "theirs"));
                  repository.saveAll(id, mine);
                });
            assertThat(repository.findByConversationId(id).stream().map(Message::getText))
                .containsSubsequence("theirs", "mine")
                .hasSize(start.size() + 2);
          }
        });
  }

  private static PgToasterChatMemoryRepository other(ConfigurableApplicationContext context) {
    DataSource dataSource = context.getBean(DataSource.class);
    return new PgToasterChatMemoryRepository(
        PgToaster.create(dataSource), dataSource, ColumnName.of("chat", "conversation"));
  }

  private static void addTo(ChatMemoryRepository repository, String id, String text) {
    List<Message> all = new ArrayList<>(repository.findByConversationId(id));
    all.add(new UserMessage(text));
    repository.saveAll(id, all);
  }

  private static void inAnotherThread(Runnable work) {
    Thread thread = new Thread(work);
    thread.start();
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void repository_exists_ifAPropertyNamesTheTable() {
    application().run(context -> assertThat(context).doesNotHaveBean(ChatMemoryRepository.class));
    application(
            "pgtoaster.chat-memory.schema=public",
            "pgtoaster.chat-memory.table=talk",
            "pgtoaster.chat-memory.column=said",
            "pgtoaster.chat-memory.create-table=true")
        .run(
            context -> {
              context.getBean(ChatMemoryRepository.class).saveAll("a", messages());
              assertThat(
                      new JdbcTemplate(context.getBean(DataSource.class))
                          .queryForObject(
                              "SELECT said -> 'version' IS NOT NULL FROM public.talk",
                              Boolean.class))
                  .isTrue();
            });
  }

  @Test
  void repositoryOfTheApplication_isNotReplaced() {
    application("pgtoaster.chat-memory.table=chat")
        .withBean(InMemoryChatMemoryRepository.class)
        .run(
            context ->
                assertThat(context)
                    .hasSingleBean(ChatMemoryRepository.class)
                    .hasSingleBean(InMemoryChatMemoryRepository.class));
  }

  @Configuration
  static class Sample {
    @Bean
    ChatMemory chatMemory(ChatMemoryRepository repository) {
      return MessageWindowChatMemory.builder()
          .chatMemoryRepository(repository)
          .maxMessages(1_000)
          .build();
    }
  }

  @Test
  void sample_runs() throws IOException {
    String readme = Files.readString(Path.of("README.md"));
    String properties = readme.split("```properties\n", 2)[1].split("```", 2)[0];
    application(properties.lines().toArray(String[]::new))
        .withUserConfiguration(Sample.class)
        .run(
            context -> {
              ChatMemory memory = context.getBean(ChatMemory.class);
              memory.add("sample", messages());
              same(memory.get("sample"), messages());
            });
    String sample = readme.split("```java\n", 2)[1].split("```", 2)[0];
    String source =
        "src/test/java/" + PgToasterChatMemoryRepositoryIT.class.getName().replace('.', '/');
    assertThat(Files.readString(Path.of(source + ".java"))).containsIgnoringWhitespaces(sample);
  }
}
