package io.pgtoaster.examples.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.PgToaster;
import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.jsonb.DocumentColumn;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.logging.Level;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.interactions.Actions;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

/** Uses the page as a person would, over an unreliable network. */
@Tag("ci")
@Tag("turn-1")
@ExampleTest
final class BrowserIT {
  private static final Path SCREENSHOTS = Path.of("target", "screenshots");
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final Duration POLL = Duration.ofMillis(10);

  @LocalServerPort private int port;
  @Autowired private PgToaster toaster;
  @TempDir private Path files;
  @TempDir private static Path profile;
  private static ChromeDriver browser;
  private CuttingProxy proxy;

  /**
   * Starts one browser for all tests. This works because pages store data by port, and each test
   * uses its own port.
   */
  @BeforeAll
  static void start() {
    browser = Chromium.start(profile);
  }

  @AfterAll
  static void quit() {
    if (browser != null) {
      browser.quit();
    }
  }

  @BeforeEach
  void open() throws IOException {
    proxy = new CuttingProxy(port);
    Chromium.look(browser, 1280, 900, "light");
    browser.manage().logs().get("browser"); // discards the messages of earlier tests
    browser.get("http://127.0.0.1:" + proxy.port() + "/");
    await(() -> !all("#tree .branch").isEmpty());
  }

  @AfterEach
  void close() throws IOException {
    browser.get("about:blank");
    proxy.close();
  }

  @Test
  void upload_whoseConnectionIsCutTwice_resumesAndArrivesComplete() throws Exception {
    Path file = Samples.noise(files.resolve("noise.bin"), 24_000_000);
    proxy.cutAfter(5 << 20, 9 << 20);
    note("#transfers");

    choose(file);

    await(() -> stored("noise.bin").contains("24 MB"));
    assertThat(proxy.cuts()).isEqualTo(2);
    assertThat(noted()).contains("The connection is lost").contains("continues from");
    assertThat(Samples.sha256(content("noise.bin")))
        .isEqualTo(Samples.sha256(Files.readAllBytes(file)));
  }

  @Test
  void upload_pausedBeforeAReload_resumesWhenTheFileIsChosenAgain() throws Exception {
    Path file = Samples.noise(files.resolve("later.bin"), 40_000_000);
    proxy.cutAfter(12 << 20);
    note("#transfers");
    choose(file);
    await(() -> proxy.cuts() == 1);
    button("#transfers", "Pause").click();

    browser.navigate().refresh();
    await(() -> stored("later.bin").contains("choose the same file again"));
    note("#transfers");
    choose(file);

    await(() -> stored("later.bin").startsWith("40 MB"));
    assertThat(noted()).contains("continues from").doesNotContain("continues from 0");
    assertThat(Samples.sha256(content("later.bin")))
        .isEqualTo(Samples.sha256(Files.readAllBytes(file)));
  }

  @Test
  void upload_pausedAndResumedQuickly_arrivesComplete() throws Exception {
    Path file = Samples.noise(files.resolve("haste.bin"), 20_000_000);
    choose(file);
    browser.executeScript(
        "for (let i = 0; i < 7; i++) setTimeout(() => document.querySelector("
            + "'#transfers button')?.click(), 40 * i)");
    await(() -> text("#transfers").contains("Paused"));
    await(() -> text("#transfers button").equals("Resume"));

    browser.executeScript(
        "const b = document.querySelector('#transfers button');"
            + "const resume = () => { if (b.isConnected) {"
            + " if (b.textContent === 'Resume') b.click(); setTimeout(resume, 20); } }; resume()");

    await(() -> stored("haste.bin").startsWith("20 MB"));
    assertThat(Samples.sha256(content("haste.bin")))
        .isEqualTo(Samples.sha256(Files.readAllBytes(file)));
  }

  @Test
  void upload_pausedWhileTheServerIsAskedForTheOffset_staysPausedUntilResumed() throws Exception {
    Path file = Samples.noise(files.resolve("asked.bin"), 24_000_000);
    proxy.cutAfter(6 << 20);
    browser.executeScript(
        "const real = window.fetch; window.fetch = async (url, options) => {"
            + " if (options?.method !== 'HEAD' || window.answer) return real(url, options);"
            + " await new Promise(resolve => { window.answer = resolve; });"
            + " window.answered = real(url, { ...options, signal: undefined });"
            + " return window.answered; }");
    choose(file);
    await(() -> (Boolean) browser.executeScript("return Boolean(window.answer)"));

    button("#transfers", "Pause").click();
    browser.executeScript("window.answer()");
    browser.executeAsyncScript(
        "const done = arguments[0]; const look = () => window.answered"
            + " ? window.answered.then(() => setTimeout(done)) : setTimeout(look); look()");

    assertThat(text("#transfers")).contains("Paused");
    button("#transfers", "Resume").click();
    await(() -> stored("asked.bin").startsWith("24 MB"));
    assertThat(Samples.sha256(content("asked.bin")))
        .isEqualTo(Samples.sha256(Files.readAllBytes(file)));
  }

  @Test
  void fileChosenTwice_isSentOnce_andAnEmptyOneIsStored() throws Exception {
    Path file = Samples.noise(files.resolve("twice.bin"), 30 << 20);
    choose(file);
    choose(file);
    choose(Samples.noise(files.resolve("empty.png"), 0));

    await(() -> !stored("twice.bin").isEmpty() && !stored("empty.png").isEmpty());
    await(() -> all("#transfers .transfer").isEmpty());
    assertThat(stored("empty.png")).isEqualTo("0 bytes");
    assertThat(text("#files")).containsOnlyOnce("twice.bin");
  }

  @Test
  void file_withMarkupInItsName_isShownAsText() throws Exception {
    Path file = Samples.noise(files.resolve("<img src=x onerror='document.title=1'>.bin"), 1000);

    choose(file);

    await(() -> !stored(file.getFileName().toString()).isEmpty());
    assertThat(browser.getTitle()).isEqualTo("pgtoaster");
  }

  @Test
  void twoPagesFollowTheLog_andTheOneThatWasAwayReceivesTheMissedLines() {
    button("#followers section:nth-child(2)", "Connect").click();
    await(() -> all(".follower[data-state=on]").size() == 2);

    append("both see this");
    await(() -> lines(1).endsWith("both see this") && lines(2).endsWith("both see this"));
    await(() -> text("#log-cost").contains("less written"));

    button("#followers section:nth-child(2)", "Disconnect").click();
    append("one sees this");
    await(() -> lines(1).endsWith("one sees this"));
    assertThat(lines(2)).endsWith("both see this");

    button("#followers section:nth-child(2)", "Reconnect").click();
    await(() -> lines(2).endsWith("one sees this"));
    assertThat(lines(2)).contains("resumed at byte").containsOnlyOnce("both see this");
  }

  @Test
  void line_whoseResponseIsLost_isStoredOnce() {
    append("makes a writer");
    await(() -> lines(1).endsWith("makes a writer"));
    proxy.loseAnswers("POST /api/log HTTP", 3);

    append("answered at last");
    await(() -> proxy.answersToLose() == 0 && text("#log-cost").contains("was sent before"));
    append("behind it");

    await(() -> lines(1).endsWith("behind it"));
    assertThat(lines(1)).containsOnlyOnce("answered at last");
  }

  @Test
  void linesSentQuickly_areAllStored_inOrder() {
    browser.executeScript(
        "const line = document.getElementById('line'), form = document.getElementById('write');"
            + "for (let i = 1; i <= 9; i++) { line.value = 'hasty ' + i; form.requestSubmit(); }");

    await(() -> lines(1).endsWith("hasty 9"));
    assertThat(lines(1).lines().filter(l -> l.contains("hasty")).map(l -> l.split("  ", 2)[1]))
        .containsExactlyElementsOf(
            IntStream.rangeClosed(1, 9).mapToObj(i -> "hasty " + i).toList());
  }

  @Test
  void follower_whoseConnectionIsCut_missesNothingAndSeesNothingTwice() {
    await(() -> all(".follower[data-state=on]").size() == 1);
    append("before the cut");
    await(() -> lines(1).endsWith("before the cut"));

    proxy.cutNow();
    append("after the cut");

    await(() -> lines(1).endsWith("after the cut"));
    assertThat(lines(1)).containsOnlyOnce("before the cut").containsOnlyOnce("after the cut");
  }

  @Test
  void document_isOpenedByBranchAndOneValueIsChanged() {
    click("#tree [data-path='/cast']");
    await(() -> all("#tree [data-path='/cast/19']").size() == 1);
    WebElement position = one("#tree .jump input");
    position.sendKeys("9000", Keys.ENTER);
    await(() -> all("#tree [data-path='/cast/9000']").size() == 1);
    assertThat(text("#document-cost")).contains("fewer pages");

    click("#tree [data-path='/cast/9000']");
    click("#tree [data-path='/cast/9000/role']");
    WebElement input = one("#tree .editor input");
    input.sendKeys(Keys.chord(Keys.CONTROL, "a"), "Navigator", Keys.ENTER);
    await(() -> text("#document-cost").contains("Set cast[9000].role"));

    assertThat(text("#document-cost")).contains("less written");
    browser.navigate().refresh();
    await(() -> !all("#tree .branch").isEmpty());
    click("#tree [data-path='/cast']");
    await(() -> !all("#tree .jump input").isEmpty());
    one("#tree .jump input").sendKeys("9000", Keys.ENTER);
    await(() -> all("#tree [data-path='/cast/9000']").size() == 1);
    click("#tree [data-path='/cast/9000']");
    assertThat(text("#tree [data-path='/cast/9000/role']")).contains("Navigator");
  }

  @Test
  void search_showsFilms_andExplainsWhatAWordIs() {
    click("#find button");
    await(() -> !all("#found li").isEmpty());
    assertThat(text("#found-count")).contains("films:");
    assertThat(text("#found li .snippet")).isEqualTo("Wanjiru Quispe");
    assertThat(text("#found li mark")).isEqualTo("Wanjiru");
    assertThat(text("#search-cost")).contains("Search for");
    one("#words").sendKeys(Keys.chord(Keys.CONTROL, "a"), "the", Keys.ENTER);
    await(() -> text("#find-problem").contains("Add a word"));
    assertThat(all("#found li")).isEmpty();
    one("#words").sendKeys(Keys.chord(Keys.CONTROL, "a"), "nowhere", Keys.ENTER);
    await(() -> text("#found-count").equals("No film contains these words."));
    assertThat(one("#find-problem").isDisplayed()).isFalse();
  }

  @Test
  void error_disappearsWhenTheServerIsBack() {
    proxy.loseAnswers("GET /api/film/search", 3); // the browser itself repeats some requests
    click("#find button");

    await(() -> text("#find-problem").contains("does not respond"));
    await(() -> !all("#find-problem[hidden]").isEmpty());
  }

  @Test
  void number_keepsAllItsDigits() {
    String digits = "-12345678901234567890.0123456789000";
    click("#tree [data-path='/runtime']");
    one("#tree .editor input").sendKeys(Keys.chord(Keys.CONTROL, "a"), digits, Keys.ENTER);
    await(() -> text("#document-cost").contains("Set runtime"));
    assertThat(text("#tree [data-path='/runtime'] .value")).isEqualTo(digits);

    browser.navigate().refresh();

    await(() -> !all("#tree .branch").isEmpty());
    assertThat(text("#tree [data-path='/runtime'] .value")).isEqualTo(digits);
  }

  @Test
  void value_isChangedToAnotherType() {
    click("#tree [data-path='/tagline']");
    one("#tree .editor select").sendKeys("null");
    button("#tree .editor", "Save").click();
    await(() -> text("#tree [data-path='/tagline'] .value").equals("null"));

    click("#tree [data-path='/tagline']");
    one("#tree .editor select").sendKeys("text");
    one("#tree .editor input").sendKeys("true", Keys.ENTER);

    await(() -> text("#tree [data-path='/tagline'] .value").equals("\"true\""));
  }

  @Test
  void unusualKeysAndTexts_areShownAndChanged() {
    List<String> keys =
        List.of("", "__proto__", "a/b~c", "\"q\" 'r'", "<b>ж🚢</b>", "7", "constructor");
    Map<String, String> odd = new LinkedHashMap<>();
    keys.forEach(key -> odd.put(key, "<img src=x onerror='document.title=1'>"));
    DocumentColumn films = toaster.documents("example_film", "doc");
    films.at(1, "odd").set(odd);
    browser.navigate().refresh();
    await(() -> !all("#tree [data-path='/odd']").isEmpty());

    click("#tree [data-path='/odd']");
    await(() -> all("#tree [data-path^='/odd/']").size() == keys.size());
    for (WebElement leaf : all("#tree [data-path^='/odd/']")) {
      browser.executeScript("arguments[0].click()", leaf);
    }
    for (WebElement input : all("#tree .editor input")) {
      input.sendKeys("!");
    }
    browser.executeScript(
        "document.querySelectorAll('#tree .editor').forEach(form => form.requestSubmit())");

    await(() -> all("#tree .editor").isEmpty());
    assertThat(browser.getTitle()).isEqualTo("pgtoaster");
    for (String key : keys) {
      assertThat(films.at(1, DocumentPath.of("odd", key)).get(String.class))
          .as(key)
          .hasValue(odd.get(key) + "!");
    }
    films.at(1, "odd").remove();
  }

  @Test
  void invalidNumber_isRefusedWithAMessage() {
    click("#tree [data-path='/year']");
    one("#tree .editor input").sendKeys(Keys.chord(Keys.CONTROL, "a"), "12,5", Keys.ENTER);

    await(() -> text("#tree .editor .problem").contains("Type a number"));
    one("#tree .editor input").sendKeys(Keys.ESCAPE);
    assertThat(text("#tree [data-path='/year']")).contains("2024");
  }

  @Test
  void page_hasALabelForEveryControl_andNoErrors() {
    Object unnamed =
        browser.executeScript(
            "return [...document.querySelectorAll('button, input, textarea, a, [tabindex]')].filter(e =>"
                + " !(e.textContent.trim() || e.getAttribute('aria-label') || e.labels?.length"
                + " || e.title)).map(e => e.outerHTML)");
    assertThat(unnamed).isEqualTo(List.of());
    assertThat(browser.manage().logs().get("browser").getAll())
        .noneMatch(entry -> entry.getLevel().equals(Level.SEVERE));
  }

  @Test
  void page_showsThatItIsLoading_untilItIsLoaded() {
    String script =
        "const real = window.fetch; const gate = new Promise(go => { window.go = go; });"
            + " window.fetch = async (...request) => { await gate; return real(...request); };";
    Object id =
        browser
            .executeCdpCommand("Page.addScriptToEvaluateOnNewDocument", Map.of("source", script))
            .get("identifier");
    try {
      browser.navigate().refresh();
      await(() -> text("#tree").equals("Loading the document…"));
      assertThat(text("#files-loading")).isEqualTo("Loading the list…");
      assertThat(one("#no-files").isDisplayed()).isFalse();

      browser.executeScript("window.go()");
      await(() -> !all("#tree .branch").isEmpty());
      await(() -> !one("#files-loading").isDisplayed());
    } finally {
      browser.executeCdpCommand(
          "Page.removeScriptToEvaluateOnNewDocument", Map.of("identifier", id));
    }
    hold("window.held");
    click("#tree [data-path='/cast']");
    await(() -> text("#tree [data-path='/cast']").contains("loading…"));
    browser.executeScript("window.held()");
    await(() -> text("#tree [data-path='/cast']").contains("elements"));
  }

  /** Delays the next request until a function with this name is called. */
  private void hold(String name) {
    browser.executeScript(
        "const real = window.fetch; window.fetch = async (...request) => { window.fetch = real;"
            + " await new Promise(go => { NAME = go; }); return real(...request); }"
                .replace("NAME", name));
  }

  @Test
  void page_canBeUsedWithTheKeyboardOnly() {
    press(Keys.TAB);
    assertThat(focused().getText()).isEqualTo("Skip to the content");
    press(Keys.ENTER);
    tabTo("#line");
    press("typed", Keys.ENTER);
    await(() -> lines(1).endsWith("typed"));
    assertThat(focused()).isEqualTo(one("#line"));

    tabTo("#tree [data-path='/cast']");
    press(Keys.ENTER);
    await(() -> all("#tree [data-path='/cast/19']").size() == 1);
    tabTo("#tree .more button");
    hold("window.held");
    press(Keys.ENTER);
    await(() -> text("#tree .more button").equals("Loading…"));
    assertThat(focused()).isEqualTo(one("#tree .more button"));
    browser.executeScript("window.held()");
    await(() -> "/cast/20".equals(focused().getDomAttribute("data-path")));

    tabTo("#tree [data-path='/tagline']");
    press(Keys.ENTER);
    await(() -> focused().getTagName().matches("input|textarea"));
    press(Keys.ESCAPE);
    assertThat(focused()).isEqualTo(one("#tree [data-path='/tagline']"));
    Object outline =
        browser.executeScript("return getComputedStyle(document.activeElement).outlineStyle");
    assertThat(outline).isEqualTo("solid");
  }

  private void press(CharSequence... keys) {
    new Actions(browser).sendKeys(keys).perform();
  }

  private WebElement focused() {
    return browser.switchTo().activeElement();
  }

  /** Presses the tab key until an element has the focus. */
  private void tabTo(String selector) {
    for (int i = 0; i < 80; i++) {
      press(Keys.TAB);
      if (Boolean.TRUE.equals(
          browser.executeScript("return document.activeElement.matches(arguments[0])", selector))) {
        return;
      }
    }
    throw new AssertionError("the tab key does not reach " + selector);
  }

  /** Takes screenshots of a filled page for people to look at, in {@code target/screenshots}. */
  @Test
  void page_fitsDesktopAndPhone_inLightAndDark() throws Exception {
    deleteAll();
    choose(Samples.picture(files.resolve("harbour.png")));
    await(() -> !stored("harbour.png").isEmpty());
    choose(Samples.tone(files.resolve("rising tone.wav"), 240));
    await(() -> stored("rising tone.wav").startsWith("7.68 MB"));
    click("#files .file button");
    await(() -> text("#upload-cost").contains("Append 64 kB"));
    choose(Samples.noise(files.resolve("big recording.flac"), 60_000_000));
    await(() -> text("#transfers .far").matches("[1-9].* MB of 60 MB"));
    button("#transfers", "Pause").click();
    await(() -> text("#transfers").contains("Paused"));
    append("somebody signed in");
    await(() -> text("#log-cost").contains("less written"));
    click("#tree [data-path='/screenings']");
    await(() -> all("#tree [data-path^='/screenings/']").size() == 20);
    click("#tree [data-path='/reviews']");
    await(() -> all("#tree [data-path^='/reviews/']").size() == 20);
    click("#tree [data-path='/reviews/2']");
    click("#tree [data-path='/title']");
    one("#tree .editor input").sendKeys(Keys.chord(Keys.CONTROL, "a"), "The Longer Voyage");
    one("#tree .editor input").sendKeys(Keys.ENTER);
    await(() -> text("#document-cost").contains("Set title"));
    browser.executeScript("document.getElementById('tree').scrollTop = 0; scrollTo(0, 0)");

    for (String scheme : List.of("light", "dark")) {
      shoot("desktop", 1440, 900, scheme);
      shoot("phone", 390, 844, scheme);
    }
  }

  /** Deletes the files that other tests stored. */
  private void deleteAll() {
    while (!all("#files .file").isEmpty()) {
      int before = all("#files .file").size();
      click("#files .file [aria-label^=Delete]");
      await(() -> all("#files .file").size() < before);
    }
  }

  private void shoot(String name, int width, int height, String scheme) throws IOException {
    Chromium.look(browser, width, height, scheme);
    assertThat(browser.executeScript("return document.documentElement.scrollWidth"))
        .isEqualTo((long) width);
    for (String section : List.of("upload", "log", "document")) {
      browser.executeScript(
          "document.getElementById(arguments[0]).scrollIntoView({ block: 'start' })", section);
      Path file = SCREENSHOTS.resolve("%s-%s-%s.png".formatted(section, name, scheme));
      Chromium.shoot(browser, file);
    }
  }

  private void append(String line) {
    one("#line").sendKeys(line);
    button("#write", "Append").click();
  }

  private void choose(Path file) {
    one("#file").sendKeys(file.toAbsolutePath().toString());
  }

  /** Returns the text next to the name of a stored file; empty if there is no such file. */
  private String stored(String name) {
    return (String)
        browser.executeScript(
            "return [...document.querySelectorAll('#files .file')].find(f =>"
                + " f.querySelector('.name').textContent === arguments[0])?."
                + "querySelector('.far').textContent ?? ''",
            name);
  }

  private byte[] content(String name) throws IOException, InterruptedException {
    String url =
        (String)
            browser.executeScript(
                "return [...document.querySelectorAll('#files a')].find(a =>"
                    + " a.textContent === arguments[0]).href",
                name);
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create(url)).build(),
            HttpResponse.BodyHandlers.ofByteArray())
        .body();
  }

  /** Records all text that appears in an element. */
  private void note(String selector) {
    browser.executeScript(
        "window.noted = ''; const place = document.querySelector(arguments[0]);"
            + "new MutationObserver(() => { window.noted += place.innerText + '\\n'; })"
            + ".observe(place, { subtree: true, childList: true, characterData: true })",
        selector);
  }

  private String noted() {
    return (String) browser.executeScript("return window.noted");
  }

  private String lines(int follower) {
    return text("#followers section:nth-child(" + follower + ") .lines");
  }

  private String text(String selector) {
    return (String)
        browser.executeScript(
            "return document.querySelector(arguments[0])?.innerText.trim() ?? ''", selector);
  }

  private WebElement button(String within, String text) {
    return all(within + " button").stream()
        .filter(b -> b.getText().equals(text))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no button " + text + " in " + within));
  }

  private void click(String selector) {
    browser.executeScript(
        "document.querySelector(arguments[0]).scrollIntoView({ block: 'center' })", selector);
    one(selector).click();
  }

  private WebElement one(String selector) {
    return browser.findElement(By.cssSelector(selector));
  }

  private List<WebElement> all(String selector) {
    return browser.findElements(By.cssSelector(selector));
  }

  private static void await(BooleanSupplier condition) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!holds(condition)) {
      if (System.nanoTime() - end > 0) {
        throw new AssertionError("the condition was not met within " + PATIENCE);
      }
      LockSupport.parkNanos(POLL.toNanos());
    }
  }

  /** An element may disappear after it is found. */
  private static boolean holds(BooleanSupplier condition) {
    try {
      return condition.getAsBoolean();
    } catch (StaleElementReferenceException e) {
      return false;
    }
  }
}
