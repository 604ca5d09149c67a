package io.pgtoaster.examples.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.JdbcTemplate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@SpringBootTest(
    classes = ChatApplication.class,
    webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
    properties = {
      "example.postgres=target/test-postgres/${random.uuid}",
      "example.pause=15ms",
      "logging.level.org.openqa.selenium=error"
    })
final class ChatIT {
  private static final JsonMapper JSON = new JsonMapper();
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final String CHAT_STORES =
      """
      SELECT pgtoaster.store_table(s.id, part)
      FROM pgtoaster.store s, unnest(pgtoaster.store_parts(s.id)) part
      WHERE CAST(s.owner AS regclass) IN ('example_chat_memory', 'example_chat_answer')
      """;

  /** Its answer takes some seconds, so that a slow machine can look at it in the middle. */
  private static final String LONG = "Are you still there? ".repeat(60).strip();

  @LocalServerPort private int port;
  @Autowired private JdbcTemplate jdbc;
  @Autowired private Answers answers;
  @TempDir private Path profile;

  @Test
  void answer_isStreamed_andFollowersContinueInTheMiddle() throws Exception {
    String chat = create("ada");

    String answer = ask(chat, "Where are {you} from?").get("id").asString();
    String whole = follow(answer, 0);
    String rest = follow(answer, 100);

    assertThat(whole).startsWith("You said: Where are {you} from?").endsWith("where it is.");
    assertThat(rest).isEqualTo(whole.substring(100));
    assertThat(json("GET", "/api/chats/" + chat).at("/page/lines").toString())
        .isEqualTo(
            "[{\"type\":\"USER\",\"text\":\"Where are {you} from?\"},"
                + "{\"type\":\"ASSISTANT\",\"text\":%s}]"
                    .formatted(JSON.writeValueAsString(whole)));
  }

  @Test
  void turnThatIsNotComplete_isFollowedByAPageThatIsOpened_andRejectsAnother() throws Exception {
    String chat = create("ada");

    String answer = ask(chat, LONG).get("id").asString();
    HttpResponse<String> second =
        send("POST", "/api/chats/" + chat + "/turns", "{\"text\": \"x\"}");
    await(() -> get("/api/chats/" + chat).at("/page/count").asInt() == 1);

    assertThat(second.statusCode()).isEqualTo(409);
    assertThat(get("/api/chats/" + chat).get("answer").asString()).isEqualTo(answer);
    assertThat(follow(answer, 0)).contains(LONG);
  }

  @Test
  void turnOf1000Messages_writesFarLessThanSpringAisRepository() throws Exception {
    String chat = create("ada");
    json("POST", "/api/chats/" + chat + "/filling?messages=1000");

    ask(chat, "What does this cost?");
    JsonNode cost = get("/api/chats/" + chat + "/cost");

    assertThat(cost.get("messages").asInt()).isEqualTo(1002);
    assertThat(cost.at("/memory/walBytes").asLong() * 10)
        .isPositive()
        .isLessThan(cost.at("/stock/walBytes").asLong());
    assertThat(cost.at("/answer/walBytes").asLong()).isPositive();
    JsonNode earlier = get("/api/chats/" + chat + "?before=500").get("page");
    assertThat(earlier.get("first").asInt()).isEqualTo(470);
    assertThat(earlier.get("lines")).hasSize(30);
  }

  @Test
  void search_findsTheConversationsOfAllUsers() throws Exception {
    String chat = create("grace");
    ask(chat, "The moth was found in relay 70 of the calculator");
    get("/api/chats/" + chat + "/cost");

    JsonNode hits = get("/api/search?words=calculators+moth");

    assertThat(hits).hasSize(1);
    assertThat(hits.at("/0/chat/owner").asString()).isEqualTo("grace");
    assertThat(hits.at("/0/snippet").asString()).contains("<b>moth</b>", "<b>calculator</b>");
    assertThat(send("GET", "/api/search?words=the", "").statusCode()).isEqualTo(400);
  }

  @Test
  void deletingTheDataOfUsers_leavesNothing_evenDuringAnAnswer() throws Exception {
    String full = create("ada");
    json("POST", "/api/chats/" + full + "/filling?messages=1000");
    String running = create("ada");
    ask(running, LONG);
    await(() -> get("/api/chats/" + running).at("/page/count").asInt() == 1);

    for (String owner :
        jdbc.queryForList("SELECT DISTINCT owner FROM example_chat", String.class)) {
      json("DELETE", "/api/users/" + owner);
    }
    await(() -> answers.latestTurn(running).isDone());

    assertThat(jdbc.queryForList(CHAT_STORES, String.class))
        .hasSizeGreaterThan(1)
        .allSatisfy(table -> assertThat(rows(table)).as(table).isZero());
    assertThat(rows("example_chat")).isZero();
    assertThat(rows("example_chat_memory")).isZero();
    assertThat(rows("example_chat_answer")).isZero();
    assertThat(rows("spring_ai_chat_memory")).isZero();
  }

  @Test
  void requests_thatAreInvalid_areRejected() throws Exception {
    String chat = create("ada");

    assertThat(send("POST", "/api/chats/" + chat + "/turns", "{}").statusCode()).isEqualTo(400);
    assertThat(send("POST", "/api/chats/x/turns", "{\"text\": \"x\"}").statusCode()).isEqualTo(404);
    assertThat(send("GET", "/api/answers/0", "").statusCode()).isEqualTo(404);
  }

  @Tag("ci")
  @Test
  void page_streamsTheAnswerAcrossAReload_searchesAndDeletes() throws Exception {
    ChromeDriver browser = browser();
    try {
      look(browser, 1280, 900);
      browser.get("http://127.0.0.1:" + port + "/");
      type(browser, "#user", Keys.chord(Keys.CONTROL, "a"), "linus", Keys.TAB);
      type(browser, "#question", "What is a <b>penguin</b>? " + LONG, Keys.ENTER);
      await(() -> text(browser, ".running").contains("You said"));

      browser.navigate().refresh();
      await(() -> text(browser, ".running").contains("You said"));
      await(() -> text(browser, ".assistant:not(.running)").endsWith("where it is."));
      assertThat(browser.findElements(By.cssSelector(".line"))).hasSize(2);
      assertThat(text(browser, ".user")).isEqualTo("What is a <b>penguin</b>? " + LONG);
      await(() -> text(browser, "#costs").contains("Spring AI, JDBC"));

      type(browser, "#words", "penguins", Keys.ENTER);
      await(() -> text(browser, "#hits mark").equals("penguin"));
      shoot(browser, "wide");
      look(browser, 390, 844);
      shoot(browser, "narrow");
      Object tooWide =
          browser.executeScript("return document.documentElement.scrollWidth > innerWidth");
      assertThat(tooWide).isEqualTo(false);

      browser.findElement(By.id("delete")).click();
      browser.switchTo().alert().accept();
      await(() -> browser.findElements(By.cssSelector("#chats li, .line")).isEmpty());
    } finally {
      browser.quit();
    }
  }

  private ChromeDriver browser() {
    Path program = Path.of(System.getProperty("chromium", "/usr/bin/chromium"));
    Path driver = Path.of(System.getProperty("chromedriver", "/usr/bin/chromedriver"));
    boolean installed = Files.isExecutable(program) && Files.isExecutable(driver);
    assumeTrue(installed || System.getenv("CI") != null, "needs chromium and chromium-driver");
    ChromeOptions options = new ChromeOptions();
    options.setBinary(program.toFile());
    options.addArguments(
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--disable-background-networking",
        "--hide-scrollbars",
        "--user-data-dir=" + profile.toAbsolutePath());
    return new ChromeDriver(
        new ChromeDriverService.Builder()
            .usingDriverExecutable(driver.toFile())
            .usingAnyFreePort()
            .build(),
        options);
  }

  private static void look(ChromeDriver browser, int width, int height) {
    browser.executeCdpCommand(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", width < 600));
  }

  private static void shoot(ChromeDriver browser, String name) throws IOException {
    Object shot = browser.executeCdpCommand("Page.captureScreenshot", Map.of()).get("data");
    Path folder = Files.createDirectories(Path.of("target", "screenshots"));
    Files.write(folder.resolve(name + ".png"), Base64.getDecoder().decode((String) shot));
  }

  private static void type(ChromeDriver browser, String selector, CharSequence... keys) {
    browser.findElement(By.cssSelector(selector)).sendKeys(keys);
  }

  private static String text(ChromeDriver browser, String selector) {
    try {
      return browser.findElements(By.cssSelector(selector)).stream()
          .map(element -> element.getText())
          .findFirst()
          .orElse("");
    } catch (StaleElementReferenceException e) {
      return "";
    }
  }

  private static void await(BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("time").isLessThan(end);
      Thread.sleep(10);
    }
  }

  private long rows(String table) {
    return jdbc.queryForList("SELECT count(*) FROM " + table, Long.class).get(0);
  }

  private String create(String owner) {
    return json("POST", "/api/users/" + owner + "/chats").get("id").asString();
  }

  private JsonNode ask(String chat, String question) {
    String body = JSON.writeValueAsString(Map.of("text", question));
    return JSON.readTree(send("POST", "/api/chats/" + chat + "/turns", body).body());
  }

  /** Returns the text of an answer from an offset to its end. */
  private String follow(String answer, int from) throws Exception {
    HttpRequest request =
        request("/api/answers/" + answer).header("Last-Event-ID", Integer.toString(from)).build();
    List<String> lines = CLIENT.send(request, BodyHandlers.ofLines()).body().toList();
    assertThat(lines).contains("event:end");
    StringBuilder text = new StringBuilder();
    for (String line : lines) {
      if (line.startsWith("data:{")) {
        text.append(JSON.readTree(line.substring(5)).get("text").asString());
      }
    }
    return text.toString();
  }

  private JsonNode get(String path) {
    return json("GET", path);
  }

  private JsonNode json(String method, String path) {
    HttpResponse<String> response = send(method, path, "");
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    return JSON.readTree(response.body());
  }

  private HttpResponse<String> send(String method, String path, String body) {
    HttpRequest request =
        request(path)
            .header("Content-Type", "application/json")
            .method(method, BodyPublishers.ofString(body))
            .build();
    try {
      return CLIENT.send(request, BodyHandlers.ofString());
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
  }
}
