package io.pgtoaster.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** A page of the documentation. Its samples can be compiled and run. */
final class Guide {
  static final Path FOLDER = Path.of("").toAbsolutePath();

  private static final Pattern FENCE =
      Pattern.compile("(?ms)^```(\\w*)\\n(.*?)^```$|^## ([^\\n]*)$");
  private static final Pattern TYPE =
      Pattern.compile(
          "(?m)^(?:public )?(?:final )?(?:abstract )?(?:class|record|interface|enum) (\\w+)");

  private final String text;

  Guide(String page) throws IOException {
    this.text = Files.readString(FOLDER.resolve(page));
  }

  /**
   * A sample.
   *
   * @param section heading above it; empty before the first heading
   * @param language language named after the fence
   * @param text content of the sample
   */
  record Sample(String section, String language, String text) {}

  List<Sample> samples() {
    List<Sample> samples = new ArrayList<>();
    String section = "";
    Matcher matcher = FENCE.matcher(text);
    while (matcher.find()) {
      if (matcher.group(3) != null) {
        section = matcher.group(3);
      } else {
        samples.add(new Sample(section, matcher.group(1), matcher.group(2)));
      }
    }
    return samples;
  }

  /** Returns the samples of a section in a language. */
  List<String> samples(String section, String language) {
    return samples().stream()
        .filter(s -> s.section().equals(section) && s.language().equals(language))
        .map(Sample::text)
        .toList();
  }

  /** Compiles source files into a folder. */
  static void compile(List<String> sources, Path folder) throws IOException {
    List<Path> files = new ArrayList<>();
    for (String source : sources) {
      Matcher type = TYPE.matcher(source);
      assertThat(type.find()).as(source).isTrue();
      files.add(Files.writeString(folder.resolve(type.group(1) + ".java"), source));
    }
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
    try (StandardJavaFileManager manager = compiler.getStandardFileManager(found, null, null)) {
      List<String> options =
          List.of("-d", folder.toString(), "-cp", classPath(), "-proc:none", "-parameters");
      boolean done =
          compiler
              .getTask(
                  null, manager, found, options, null, manager.getJavaFileObjectsFromPaths(files))
              .call();
      assertThat(done).as(() -> found.getDiagnostics().toString()).isTrue();
    }
  }

  /** Surefire starts the JVM with a jar whose manifest lists the other jars. */
  private static String classPath() {
    return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
  }

  /** Returns what this JVM prints during some work. */
  static List<String> printed(Run run) throws Exception {
    PrintStream before = System.out;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8)) {
      System.setOut(out);
      run.run();
    } finally {
      System.setOut(before);
    }
    return Arrays.asList(bytes.toString(StandardCharsets.UTF_8).split("\\R"));
  }

  interface Run {
    void run() throws Exception;
  }
}
