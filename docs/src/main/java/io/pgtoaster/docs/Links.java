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
 * Translates links between files of the repository to links on the site. A link to a Markdown file
 * becomes a link to its page, one to a Java source with Javadoc a link to the Javadoc, and one to a
 * folder a link to its README. Other files are copied.
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

  /** Moves the Markdown files found in links since the last call to a collection. */
  void drain(Collection<Path> into) {
    into.addAll(pages);
    pages.clear();
  }

  /** Returns the other files found in links. */
  Set<Path> files() {
    return files;
  }

  /** Returns the broken links, one sentence each. */
  List<String> broken() {
    return broken;
  }

  /** Returns whether the site has the Javadoc. */
  boolean hasApi() {
    return Files.exists(out.resolve(API).resolve("index.html"));
  }

  /** Returns whether a file is shown as a page with its text. */
  static boolean isShown(Path file) {
    return !file.toString().endsWith(".svg");
  }

  /** Returns the site's file for a file of the repository. */
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
   * @param from file that contains it
   * @param link as written in that file
   * @return the link for the page
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
      broken.add(from + " links to " + link + ", which is not a file");
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

  /** Returns the link from one file of the site to another. */
  static String between(Path from, Path to) {
    Path folder = from.getParent();
    Path way = folder == null ? to : folder.relativize(to);
    return way.toString().replace('\\', '/');
  }
}
