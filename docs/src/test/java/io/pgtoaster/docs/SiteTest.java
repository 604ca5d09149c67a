package io.pgtoaster.docs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The generated site. */
class SiteTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern LINK = Pattern.compile("(href|src)=\"([^\"]*)\"");
  private static final Pattern ID = Pattern.compile("\\bid=\"([^\"]*)\"");

  @TempDir private static Path site;

  @BeforeAll
  static void write() throws IOException {
    Site.write(ROOT, site, "1.2.3");
  }

  private static List<Path> pages() throws IOException {
    try (Stream<Path> all = Files.walk(site)) {
      return all.filter(p -> p.toString().endsWith(".html")).toList();
    }
  }

  private static List<MatchResult> links(Path page) throws IOException {
    return LINK.matcher(Files.readString(page)).results().toList();
  }

  @Test
  void everyLink_leadsToAFileOfTheSite_andAnExistingElement() throws IOException {
    List<String> broken = new ArrayList<>();
    Map<Path, Set<String>> ids = new HashMap<>();
    int anchors = 0;
    for (Path page : pages()) {
      for (MatchResult link : links(page)) {
        URI uri = URI.create(link.group(2).replace("&amp;", "&"));
        if (uri.getScheme() != null) {
          continue;
        }
        Path file = uri.getPath().isEmpty() ? page : page.resolveSibling(uri.getPath()).normalize();
        if (!Files.isRegularFile(file)) {
          broken.add(page + ": " + uri);
        } else if (uri.getFragment() != null) {
          anchors++;
          if (!ids.computeIfAbsent(file, SiteTest::ids).contains(uri.getFragment())) {
            broken.add(page + ": " + uri);
          }
        }
      }
    }
    assertThat(broken).isEmpty();
    assertThat(anchors).isGreaterThan(100);
  }

  private static Set<String> ids(Path page) {
    try {
      Set<String> ids = new HashSet<>();
      ID.matcher(Files.readString(page)).results().forEach(id -> ids.add(id.group(1)));
      return ids;
    } catch (IOException e) {
      throw new AssertionError(page.toString(), e);
    }
  }

  @Test
  void page_loadsNothingFromTheNetwork() throws IOException {
    for (Path page : pages()) {
      String html = Files.readString(page);
      assertThat(html.substring(0, html.indexOf("</head>"))).doesNotContain("http");
      assertThat(links(page))
          .noneMatch(link -> link.group(1).equals("src") && link.group(2).contains(":"));
    }
    assertThat(Files.readString(site.resolve("style.css"))).doesNotContain("url(", "@import");
  }

  @Test
  void navigation_hasEveryPage_andMarksTheCurrentOne() throws IOException {
    String page = Files.readString(site.resolve("sql.html"));
    try (Stream<Path> files = Files.list(ROOT.resolve("docs"))) {
      for (String name : files.map(p -> p.getFileName().toString()).toList()) {
        if (name.endsWith(".md")) {
          assertThat(page.contains("<li><a href=\"" + name.replace(".md", ".html") + "\""))
              .as("%s is in Contents", name)
              .isTrue();
        }
      }
    }
    assertThat(page).containsOnlyOnce("aria-current").contains("href=\"sql.html\" aria-current");
    assertThat(page).contains("1.2.3").doesNotContain("{version}", "{body}", "{base}");
  }

  @Test
  void passages_haveTheTextBelowEachHeading_withoutMarkup() throws IOException {
    String passages = Files.readString(site.resolve("passages.js"));
    assertThat(passages)
        .contains("[\"search.html#find-words\",\"Search\",\"Find words\",\"A text index needs")
        .contains("such as english. Queries have the syntax of websearch_to_tsquery: all words")
        .contains("products.search(JsonSearch.text(")
        .doesNotContain("](");
  }

  @Test
  void searchBox_findsWordsInAnyForm_namesInCode_andStartsOfWords() throws Exception {
    assertThat(found("phrases in pieces")).contains("search.html#limits");
    assertThat(found("toaster.documents getAll")).contains("search.html#find-products-by-sku");
    assertThat(found("JSONPA")).contains("search.html#three-ways");
    assertThat(found("xyzzy")).isEmpty();
  }

  /** Opens a page in a browser and returns the links of the results. */
  private static List<String> found(String words) throws Exception {
    Path browser = Path.of(System.getProperty("chromium", "/usr/bin/chromium"));
    if (System.getenv("CI") == null) {
      assumeThat(browser).as("to test the search box, install the package chromium").isExecutable();
    }
    String page =
        site.resolve("integrations/jdbi/index.html").toUri()
            + "?search="
            + URLEncoder.encode(words, UTF_8);
    Process process =
        new ProcessBuilder(
                browser.toString(),
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--virtual-time-budget=20000",
                "--dump-dom",
                page)
            .redirectError(Redirect.DISCARD)
            .start();
    String html = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).isZero();
    String results = html.substring(html.indexOf("id=\"found\""), html.indexOf("</ol>"));
    return LINK.matcher(results).results().map(link -> link.group(2).replace("../", "")).toList();
  }

  @Test
  void typeName_linksToItsJavadocOrElseItsSource(@TempDir Path other) throws IOException {
    Path from = Path.of("docs/jdbc.md");
    String link = "../core/src/main/java/io/pgtoaster/PgToaster.java#x";
    assertThat(new Links(ROOT, other).translate(from, link))
        .isEqualTo("source/core/src/main/java/io/pgtoaster/PgToaster.java.html#x");
    Path javadoc = Files.createDirectories(other.resolve("apidocs/io/pgtoaster"));
    Files.createFile(javadoc.resolve("PgToaster.html"));
    assertThat(new Links(ROOT, other).translate(from, link))
        .isEqualTo("apidocs/io/pgtoaster/PgToaster.html#x");
  }

  @Test
  void brokenLink_isReported() {
    Links links = new Links(ROOT, site);
    links.translate(Path.of("docs/a.md"), "b.md");
    links.translate(Path.of("docs/a.md"), "../../outside.md");
    assertThat(links.broken())
        .containsExactly(
            "docs/a.md links to b.md, which is not a file",
            "docs/a.md links to ../../outside.md, which is not a file");
  }
}
