package io.pgtoaster.docs;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/**
 * Where the links of a file in the repository lead on the site. A Markdown file is a page, a Java
 * source with Javadoc its Javadoc, any other file a copy of it, a folder its README.
 */
final class Links {
  /** Folder of the Javadoc. */
  static final String API = "apidocs";

  private static final String MAIN = "src/main/java/";

  private final Path root;
  private final Path out;
  private final List<Path> pages = new ArrayList<>();
  private final Set<Path> files = new TreeSet<>();
  private final List<String> broken = new ArrayList<>();

  Links(Path root, Path out) {
    this.root = root;
    this.out = out;
  }

  /** Moves the Markdown files that were linked to since into a collection. */
  void drain(Collection<Path> into) {
    into.addAll(pages);
    pages.clear();
  }

  /** Other files that were linked to. */
  Set<Path> files() {
    return files;
  }

  /** Links that lead nowhere, one sentence each. */
  List<String> broken() {
    return broken;
  }

  /** Whether the Javadoc is there. */
  boolean hasApi() {
    return Files.exists(out.resolve(API).resolve("index.html"));
  }

  /** Whether a file is shown as a page with its text. */
  static boolean isShown(Path file) {
    return !file.toString().endsWith(".svg");
  }

  /** File of the site that a file of the repository becomes. */
  Path target(Path file) {
    String name = file.toString().replace('\\', '/');
    if (name.equals("README.md")) {
      return Path.of("index.html");
    }
    if (name.endsWith("README.md")) {
      return file.resolveSibling("index.html");
    }
    if (name.endsWith(".md")) {
      return Path.of(
          name.replaceFirst("^docs/", "").replaceFirst("\\.md$", ".html").toLowerCase(Locale.ROOT));
    }
    if (!isShown(file)) {
      return Path.of(name.replaceFirst("^docs/", ""));
    }
    int main = name.indexOf(MAIN);
    if (main >= 0 && name.endsWith(".java")) {
      String type = name.substring(main + MAIN.length(), name.length() - ".java".length());
      Path api = Path.of(API, type + ".html");
      if (Files.exists(out.resolve(api))) {
        return api;
      }
    }
    return Path.of("source", name + ".html");
  }

  /**
   * Translates a link.
   *
   * @param from file that has it
   * @param link as it is written there
   * @return as it is written on the page
   */
  String translate(Path from, String link) {
    URI uri = URI.create(link);
    if (uri.getScheme() != null || uri.getPath().isEmpty()) {
      return link;
    }
    Path file = from.resolveSibling(uri.getPath()).normalize();
    if (Files.isDirectory(root.resolve(file))) {
      file = file.resolve("README.md");
    }
    if (file.startsWith("..") || !Files.isRegularFile(root.resolve(file))) {
      broken.add(from + " links to " + link + ", where no file is");
      return link;
    }
    if (file.toString().endsWith(".md")) {
      pages.add(file);
    } else if (!target(file).startsWith(API)) {
      files.add(file);
    }
    String fragment = uri.getRawFragment();
    return between(target(from), target(file)) + (fragment == null ? "" : "#" + fragment);
  }

  /** The link from one file of the site to another. */
  static String between(Path from, Path to) {
    Path folder = from.getParent();
    Path way = folder == null ? to : folder.relativize(to);
    return way.toString().replace('\\', '/');
  }
}
