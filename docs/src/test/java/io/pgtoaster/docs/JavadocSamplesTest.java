package io.pgtoaster.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The samples in Javadoc compile. */
class JavadocSamplesTest {
  private static final Pattern SAMPLE =
      Pattern.compile("(?s)<pre>\\{@code\\n(.*?)\\n \\* \\}</pre>");

  /** The types that readers see first. */
  private static final List<String> ENTRIES =
      List.of(
          "PgToaster",
          "Catalog",
          "BlobColumn",
          "BlobReader",
          "AppendToken",
          "DocumentColumn",
          "DocumentValue",
          "DocumentPath",
          "AppendableBlob",
          "KeyedJson",
          "EmbeddedPostgres");

  @Test
  void everyEntryTypeHasASample_andAllCompile(@TempDir Path folder) throws IOException {
    List<String> methods = new ArrayList<>();
    List<String> types = new ArrayList<>();
    for (String module : List.of("core", "embedded", "hibernate-module", "spring-boot-starter")) {
      Path sources = Guide.FOLDER.resolveSibling(module).resolve("src/main/java");
      try (Stream<Path> files = Files.walk(sources)) {
        for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
          for (MatchResult sample : SAMPLE.matcher(Files.readString(file)).results().toList()) {
            String type = file.getFileName().toString().replace(".java", "");
            types.add(type);
            methods.add(method(type + types.size(), sample.group(1)));
          }
        }
      }
    }
    assertThat(types).containsAll(ENTRIES);
    Guide.compile(List.of(program(methods)), folder);
  }

  private static String method(String name, String sample) {
    String code =
        sample
            .lines()
            .map(line -> line.replaceFirst("^ \\* ?", "  "))
            .collect(Collectors.joining("\n"));
    return "void " + name + "() throws Exception {\n" + code + "\n}\n";
  }

  private static String program(List<String> methods) {
    return """
        import io.pgtoaster.*;
        import io.pgtoaster.blob.*;
        import io.pgtoaster.column.*;
        import io.pgtoaster.embedded.*;
        import io.pgtoaster.hibernate.blob.*;
        import io.pgtoaster.hibernate.jsonb.*;
        import io.pgtoaster.jsonb.*;
        import java.io.*;
        import java.nio.file.*;
        import java.sql.Connection;
        import java.sql.DriverManager;
        import java.util.*;
        import javax.sql.DataSource;
        import org.hibernate.Session;

        abstract class Samples {
          DataSource dataSource;
          Connection connection;
          PgToaster toaster;
          BlobColumn audio;
          DocumentColumn people;
          byte[] bytes;
          OutputStream out;
          Path file;
          Session session;
          PostgresBinaries binaries;

          static class Recording {
            AppendableBlob audio;
          }

          static class Person {
            KeyedJson<Map<String, Object>> doc;
          }

        """
        + String.join("\n", methods)
        + "}\n";
  }
}
