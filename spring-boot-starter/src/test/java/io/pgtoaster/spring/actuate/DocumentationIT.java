package io.pgtoaster.spring.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.AppendOptions;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.column.AppendToken;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.HealthIndicator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** docs/spring.md lists exactly the properties, meters, endpoint fields and health details. */
class DocumentationIT {
  private static final Pattern ROW = Pattern.compile("\\| `([^`]+)` \\|([^|]*)\\|.*");

  /** Returns the first two cells of each row of the first table below a heading. */
  private static Map<String, String> table(String heading) throws IOException {
    Map<String, String> rows = new TreeMap<>();
    boolean inside = false;
    for (String line : Files.readAllLines(Path.of("..", "docs", "spring.md"))) {
      if (line.startsWith("## ")) {
        inside = line.equals("## " + heading);
      }
      Matcher row = ROW.matcher(line);
      if (inside && row.matches()) {
        rows.put(row.group(1), row.group(2).strip().replace("`", ""));
      }
    }
    return rows;
  }

  @Test
  void properties_areDocumentedWithTheirDefaults() throws IOException {
    Map<String, String> found = new TreeMap<>();
    String name = "META-INF/spring-configuration-metadata.json";
    for (URL url : Collections.list(getClass().getClassLoader().getResources(name))) {
      try (InputStream in = url.openStream()) {
        for (JsonNode property : JsonMapper.shared().readTree(in).get("properties")) {
          String key = property.get("name").asString();
          if (key.startsWith("pgtoaster.") || key.startsWith("management.endpoint.pgtoaster.")) {
            assertThat(property.path("description").asString("")).as(key).endsWith(".");
            JsonNode value = property.path("defaultValue");
            found.put(key, value.isValueNode() ? value.asString().replace('_', '-') : "");
          }
        }
      }
    }
    assertThat(found).hasSizeGreaterThan(20);
    assertThat(table("Properties")).isEqualTo(found);
  }

  @Test
  void meters_areDocumentedWithTheirTags() throws IOException {
    Application application = new Application();
    Map<String, Set<String>> found = new TreeMap<>();
    application.runner.run(
        context -> {
          BlobColumn notes = context.getBean(PgToaster.class).blobs("note", "text");
          AppendOptions once =
              AppendOptions.defaults().withToken(new AppendToken(AppendToken.newWriter(), 1));
          MeterRegistry meters = context.getBean(MeterRegistry.class);
          collect(meters, found);
          notes.append(1, new byte[10], once);
          notes.append(1, new byte[10], once);
          application.database.run("ANALYZE", "DELETE FROM pgtoaster.store_2_garbage");
          for (Job job : Job.values()) {
            context.getBean(Maintenance.class).run(job);
          }
          context.getBean(StoreStatistics.class).now();
          meters.get("pgtoaster.stores").gauge().value();
          collect(meters, found);
        });
    found.computeIfAbsent("pgtoaster.store.dead.ratio", n -> Set.of("column", "toaster"));
    Map<String, Set<String>> documented = new TreeMap<>();
    table("Metrics")
        .forEach(
            (meter, tags) ->
                documented.put(
                    meter, tags.isEmpty() ? Set.of() : new TreeSet<>(List.of(tags.split(", ")))));
    assertThat(documented).isEqualTo(found);
  }

  private static void collect(MeterRegistry meters, Map<String, Set<String>> found) {
    for (Meter meter : meters.getMeters()) {
      if (meter.getId().getName().startsWith("pgtoaster.")) {
        Set<String> tags = found.computeIfAbsent(meter.getId().getName(), n -> new TreeSet<>());
        meter.getId().getTags().stream().map(Tag::getKey).forEach(tags::add);
      }
    }
  }

  @Test
  void endpointFields_areDocumented() throws IOException {
    Set<String> fields = new TreeSet<>();
    fields(PgToasterEndpoint.Report.class, "", fields);
    assertThat(table("Endpoint").keySet()).isEqualTo(fields);
  }

  private static void fields(Class<?> type, String prefix, Set<String> fields) {
    for (RecordComponent component : type.getRecordComponents()) {
      String name = prefix + component.getName();
      Class<?> inner = component.getType();
      if (component.getGenericType() instanceof ParameterizedType generic) {
        Type[] arguments = generic.getActualTypeArguments();
        inner = (Class<?>) arguments[arguments.length - 1];
        if (inner.isRecord()) {
          name += arguments.length == 1 ? "[]" : ".*";
        }
      }
      if (inner.isRecord()) {
        fields(inner, name + ".", fields);
      } else {
        fields.add(name);
      }
    }
  }

  @Test
  void healthDetails_areDocumented() throws IOException {
    Application application = new Application();
    Set<String> found = new TreeSet<>(Set.of("extension"));
    application.runner.run(
        context -> {
          context.getBean(Maintenance.class).run(Job.GC);
          context.getBean(Maintenance.class).run(Job.VERIFY);
          HealthIndicator indicator = context.getBean(HealthIndicator.class);
          found.addAll(indicator.health(true).getDetails().keySet());
          application.database.run("UPDATE pgtoaster.version SET version = 99");
          found.addAll(indicator.health(true).getDetails().keySet());
        });
    assertThat(table("Health").keySet()).isEqualTo(found);
  }
}
