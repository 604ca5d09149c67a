package io.pgtoaster.docs;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes the site: every page of {@link Contents}, and all files of the repository that these pages
 * link to, so that the site contains the targets of its links.
 */
final class Site {
  /** The search library. The folder has its version. */
  private static final String LUNR = "/META-INF/resources/webjars/lunr/2.3.9/lunr.min.js";

  private final Path root;
  private final Path out;
  private final String version;
  private final Links links;
  private final Markdown markdown;

  /** Pages by their file in the repository. */
  private final Map<Path, Page> pages = new LinkedHashMap<>();

  private Site(Path root, Path out, String version) {
    this.root = root;
    this.out = out;
    this.version = version;
    this.links = new Links(root, out);
    this.markdown = new Markdown(links);
  }

  /**
   * Writes the site.
   *
   * @param args the repository, the folder to write to, and the version of the project
   */
  public static void main(String... args) throws IOException {
    write(Path.of(args[0]).normalize(), Path.of(args[1]), args[2]);
  }

  /** Writes the site. Keeps Javadoc that already is in the folder, and links to it. */
  static void write(Path root, Path out, String version) throws IOException {
    clear(out);
    new Site(root, out, version).write();
  }

  private void write() throws IOException {
    Deque<Path> toRead = new ArrayDeque<>();
    for (Contents.Part part : Contents.PARTS) {
      part.files().forEach(file -> toRead.add(Path.of(file)));
    }
    while (!toRead.isEmpty()) {
      Path file = toRead.remove();
      if (!pages.containsKey(file)) {
        pages.put(file, markdown.read(file, Files.readString(root.resolve(file))));
        links.drain(toRead);
      }
    }
    if (!links.broken().isEmpty()) {
      throw new IllegalArgumentException(String.join("\n", links.broken()));
    }
    Template template = new Template(version, pages, links);
    for (Page page : pages.values()) {
      put(links.target(page.file()), template.render(page));
    }
    for (Path file : links.files()) {
      copy(file, template);
    }
    for (String resource : List.of("style.css", "icon.svg", "search.js", LUNR)) {
      try (InputStream in = Site.class.getResourceAsStream(resource)) {
        Files.write(out.resolve(Path.of(resource).getFileName()), in.readAllBytes());
      }
    }
    put(Path.of("passages.js"), passages());
  }

  private void copy(Path file, Template template) throws IOException {
    if (Links.isShown(file)) {
      put(
          links.target(file),
          template.render(markdown.source(file, Files.readString(root.resolve(file)))));
    } else {
      Path to = out.resolve(links.target(file));
      Files.createDirectories(to.getParent());
      Files.write(to, Files.readAllBytes(root.resolve(file)));
    }
  }

  private void put(Path target, String html) throws IOException {
    Path to = out.resolve(target);
    Files.createDirectories(to.getParent());
    Files.writeString(to, html);
  }

  /** Returns a script with all text, because a page that was opened as a file cannot fetch data. */
  private String passages() {
    List<List<String>> all = new ArrayList<>();
    for (Page page : pages.values()) {
      String target = links.target(page.file()).toString().replace('\\', '/');
      for (Page.Passage passage : page.passages()) {
        all.add(List.of(target + "#" + passage.id(), page.title(), passage.name(), passage.text()));
      }
    }
    return "const passages = " + JsonMapper.shared().writeValueAsString(all) + ";\n";
  }

  private static void clear(Path out) throws IOException {
    Files.createDirectories(out);
    List<Path> old = new ArrayList<>();
    try (Stream<Path> all = Files.walk(out)) {
      all.filter(p -> !p.equals(out) && !p.startsWith(out.resolve(Links.API))).forEach(old::add);
    }
    for (int i = old.size() - 1; i >= 0; i--) {
      Files.delete(old.get(i));
    }
  }
}
