package io.pgtoaster.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.AudioContent;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ChatMessageType;
import dev.langchain4j.data.message.CustomMessage;
import dev.langchain4j.data.message.ImageContent;
import dev.langchain4j.data.message.PdfFileContent;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.data.message.VideoContent;
import dev.langchain4j.memory.ChatMemory;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.store.memory.chat.ChatMemoryStore;
import io.pgtoaster.PgToaster;
import io.pgtoaster.column.ColumnName;
import io.pgtoaster.embedded.EmbeddedPostgres;
import io.pgtoaster.embedded.Home;
import io.pgtoaster.embedded.PostgresBinaries;
import io.pgtoaster.jsonb.JsonOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

class PgToasterChatMemoryStoreIT {
  @AutoClose private static EmbeddedPostgres postgres;
  private static PGSimpleDataSource dataSource;

  private final ChatMemoryStore store = open();

  @BeforeAll
  static void start() {
    postgres =
        EmbeddedPostgres.builder(PostgresBinaries.fromClasspath(Home.cacheDirectory()))
            .temporary()
            .setting("fsync", "off")
            .start();
    dataSource = new PGSimpleDataSource();
    dataSource.setURL(postgres.jdbcUrlWithPassword("postgres"));
    PgToasterChatMemoryStore.createTable(dataSource, "chat");
  }

  /** A separate store, like one in another JVM. */
  private static ChatMemoryStore open() {
    return PgToasterChatMemoryStore.of(dataSource, "chat");
  }

  private static List<ChatMessage> messages() {
    ToolExecutionRequest request =
        ToolExecutionRequest.builder()
            .id("call_1")
            .name("weather")
            .arguments("{\"city\" :  \"Berlin\", \"days\": 1.50}")
            .build();
    Map<String, Object> attributes =
        Map.of("big", 1.0E10, "list", List.of(1, "two", true), "map", Map.of("b", 1, "a", 2.5));
    return List.of(
        SystemMessage.from("Be brief."),
        UserMessage.from("Hello \"you\" 🎉\n"),
        UserMessage.from("Ann", "with a name"),
        UserMessage.builder()
            .name("Bob")
            .contents(
                List.of(
                    TextContent.from("What is this?"),
                    ImageContent.from("https://example.com/a.png", ImageContent.DetailLevel.HIGH),
                    ImageContent.from("aGVsbG8=", "image/png"),
                    AudioContent.from("aGVsbG8=", "audio/mpeg"),
                    VideoContent.from("https://example.com/a.mp4"),
                    PdfFileContent.from("aGVsbG8=", "application/pdf")))
            .attributes(attributes)
            .build(),
        AiMessage.from("An answer"),
        AiMessage.builder()
            .text("I look")
            .thinking("hm")
            .toolExecutionRequests(List.of(request, request))
            .attributes(attributes)
            .build(),
        AiMessage.from(request),
        ToolExecutionResultMessage.from(request, "rain"),
        ToolExecutionResultMessage.builder()
            .id("call_2")
            .toolName("weather")
            .text("no such city")
            .isError(true)
            .attributes(attributes)
            .build(),
        CustomMessage.from(attributes));
  }

  @Test
  void messages_coverEveryType() {
    assertThat(messages().stream().map(ChatMessage::type)).contains(ChatMessageType.values());
  }

  @Test
  void conversation_isReadBackUnchanged_writtenAtOnceOrInTurns() {
    store.updateMessages("once", messages());
    assertThat(open().getMessages("once")).isEqualTo(messages());

    for (int turn = 1; turn <= messages().size(); turn++) {
      store.updateMessages("turns", messages().subList(0, turn));
    }
    assertThat(open().getMessages("turns")).isEqualTo(messages());
  }

  @Test
  void unknownConversation_andAnEmptyOne_haveNoMessages() {
    assertThat(store.getMessages("unknown")).isEmpty();
    store.deleteMessages("unknown");
    store.updateMessages("emptied", messages());
    store.updateMessages("emptied", List.of());
    assertThat(open().getMessages("emptied")).isEmpty();
  }

  @Test
  void ids_areComparedByTheirText() {
    store.updateMessages(17, messages());
    assertThat(open().getMessages("17")).isEqualTo(messages());
    UUID id = UUID.randomUUID();
    store.updateMessages(id, messages());
    assertThat(open().getMessages(id)).isEqualTo(messages());
  }

  @Test
  void nullAndLongIds_areRejected() {
    assertThatThrownBy(() -> store.getMessages(null)).hasMessage("memoryId cannot be null");
    assertThatThrownBy(() -> store.updateMessages(null, messages()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> store.updateMessages("a", null)).hasMessage("messages cannot be null");
    assertThatThrownBy(() -> store.deleteMessages(null))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> store.getMessages("x".repeat(3_000)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the maximum is 2600");
  }

  @Test
  void existingTable_canHaveOtherColumns() throws SQLException {
    PgToaster toaster = PgToaster.create(dataSource);
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE session (made timestamptz DEFAULT now(), name text PRIMARY KEY, said jsonb)");
    }
    ColumnName column = ColumnName.of("public", "session", "said");
    toaster.catalog().attach(column, JsonOptions.defaults());
    ChatMemoryStore given = PgToasterChatMemoryStore.of(toaster, dataSource, column);
    given.updateMessages("a", messages());
    assertThat(given.getMessages("a")).isEqualTo(messages());
    given.deleteMessages("a");
    assertThat(given.getMessages("a")).isEmpty();
  }

  @Test
  void sample_runs() throws IOException {
    PgToasterChatMemoryStore.createTable(dataSource, "chat"); // if it does not exist
    ChatMemoryStore store = PgToasterChatMemoryStore.of(dataSource, "chat");
    ChatMemory memory =
        MessageWindowChatMemory.builder()
            .id("user-42")
            .maxMessages(1_000)
            .chatMemoryStore(store)
            .build();
    memory.add(UserMessage.from("How long is a marathon?"));
    memory.add(AiMessage.from("42.195 km."));

    assertThat(store.getMessages("user-42")).hasSize(2);
    String sample =
        Files.readString(Path.of("README.md")).split("```java\n", 2)[1].split("```", 2)[0];
    assertThat(
            Files.readString(
                Path.of("src/test/java", getClass().getName().replace('.', '/') + ".java")))
        .containsIgnoringWhitespaces(sample);
  }
}
