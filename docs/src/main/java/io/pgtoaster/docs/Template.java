package io.pgtoaster.docs;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;

/** The frame of each page: {@code page.html}, with placeholders in braces. */
final class Template {
  private final String frame;
  private final String version;
  private final Map<Path, Page> pages;
  private final Links links;

  Template(String version, Map<Path, Page> pages, Links links) throws IOException {
    try (InputStream in = Template.class.getResourceAsStream("page.html")) {
      this.frame = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
    this.version = version;
    this.pages = pages;
    this.links = links;
  }

  /** Returns the HTML of a page. */
  String render(Page page) {
    Path at = links.target(page.file());
    String home = Links.between(at, Path.of("index.html"));
    String title = page.title().equals("pgtoaster") ? "pgtoaster" : page.title() + " · pgtoaster";
    // Replace the body last, so that nothing in it is mistaken for a placeholder.
    return frame
        .replace("{title}", Html.text(title))
        .replace("{home}", home)
        .replace("{base}", home.substring(0, home.length() - "index.html".length()))
        .replace("{version}", Html.text(version))
        .replace("{navigation}", navigation(page, at))
        .replace("{sections}", sections(page))
        .replace("{body}", page.body());
  }

  private String navigation(Page page, Path at) {
    StringBuilder html = new StringBuilder();
    for (Contents.Part part : Contents.PARTS) {
      html.append("<h2>").append(part.name()).append("</h2>\n<ul>\n");
      for (String file : part.files()) {
        Page other = Objects.requireNonNull(pages.get(Path.of(file)), file);
        item(html, at, links.target(other.file()), other.title(), page.file().equals(other.file()));
      }
      if (part.name().equals("Guides") && links.hasApi()) {
        item(html, at, Path.of(Links.API, "index.html"), "Javadoc", false);
      }
      html.append("</ul>\n");
    }
    return html.toString();
  }

  private static void item(StringBuilder html, Path at, Path to, String name, boolean here) {
    html.append("<li><a href=\"")
        .append(Links.between(at, to))
        .append(here ? "\" aria-current=\"page\">" : "\">")
        .append(Html.text(name))
        .append("</a></li>\n");
  }

  private static String sections(Page page) {
    if (page.sections().size() < 2) {
      return "";
    }
    StringBuilder html =
        new StringBuilder(
            """
            <details class="toc" id="toc" open>
            <summary>On this page</summary>
            <nav aria-label="On this page">
            <ul>
            """);
    for (Page.Section section : page.sections()) {
      html.append("<li><a href=\"#")
          .append(section.id())
          .append("\">")
          .append(Html.text(section.name()))
          .append("</a></li>\n");
    }
    return html.append("</ul>\n</nav>\n</details>\n").toString();
  }
}
