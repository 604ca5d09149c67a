package io.pgtoaster.benchmarks.data;

import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Generated documents of typical shapes, the same in every run. */
public final class DocumentKinds {
  public static final List<String> NAMES = List.of("actors", "api", "fhir", "geojson", "series");

  private static final int ROLES = 300;
  private static final int REPOSITORIES = 100;
  private static final int RESOURCES = 300;
  private static final int FEATURES = 100;
  private static final int POINTS = 10_000;
  private static final List<String> LINKS =
      List.of(
          "forks",
          "keys",
          "teams",
          "hooks",
          "events",
          "assignees",
          "branches",
          "tags",
          "blobs",
          "trees",
          "statuses",
          "languages",
          "stargazers",
          "contributors",
          "subscribers",
          "commits",
          "comments",
          "contents",
          "compare",
          "merges",
          "archive",
          "downloads",
          "issues",
          "pulls",
          "milestones",
          "notifications",
          "labels",
          "releases",
          "deployments");

  private final Random random = new Random(7);

  private DocumentKinds() {}

  /**
   * Returns one document of a kind.
   *
   * @param name one of {@link #NAMES}
   * @return a set that contains only this document
   */
  public static DocumentSet of(String name) {
    return switch (name) {
      case "actors" -> DocumentSet.actors(1, ROLES);
      case "api" -> set(name, new DocumentKinds().answer(), REPOSITORIES, "items", "name");
      case "fhir" -> set(name, new DocumentKinds().bundle(), RESOURCES, "entry", "fullUrl");
      case "geojson" -> set(name, new DocumentKinds().features(), FEATURES, "features", "type");
      case "series" -> set(name, new DocumentKinds().series(), POINTS, "points", "q");
      default -> throw new IllegalArgumentException("no kind of documents is called " + name);
    };
  }

  private static DocumentSet set(
      String name, String text, int elements, String array, String member) {
    return new DocumentSet(
        name, 1, i -> text, i -> elements, array, List.of(member), List.of("kind", "count"));
  }

  private static String list(int count, IntFunction<String> element) {
    return IntStream.range(0, count).mapToObj(element).collect(Collectors.joining(", ", "[", "]"));
  }

  /** The result of a search in a web API. */
  private String answer() {
    return "{\"kind\": \"answer\", \"count\": 100, \"items\": %s}"
        .formatted(list(REPOSITORIES, i -> repository()));
  }

  private String repository() {
    String owner = word() + random.nextInt(10_000);
    String name = word() + "-" + word();
    String links =
        LINKS.stream()
            .map(
                l ->
                    "\"%1$s_url\": \"https://api.example.com/repos/%2$s/%3$s/%1$s{/number}\""
                        .formatted(l, owner, name))
            .collect(Collectors.joining(", "));
    return """
        {"id": %d, "node_id": "%s", "name": "%s", "full_name": "%s/%s", "private": false, "owner": {"login": "%s", "id": %d, \
        "avatar_url": "https://avatars.example.com/%s", "type": "User", "site_admin": false}, "description": "%s", %s, \
        "created_at": "%s", "updated_at": "%s", "size": %d, "watchers": %d, "language": "Java", "has_issues": true, \
        "license": {"key": "mit", "name": "MIT License"}, "topics": %s, "default_branch": "main", "score": 1.0}\
        """
        .formatted(
            random.nextInt(900_000_000),
            hex(20),
            name,
            owner,
            name,
            owner,
            random.nextInt(90_000_000),
            owner,
            DocumentSet.words(random, 5 + random.nextInt(15)),
            links,
            time(),
            time(),
            random.nextInt(100_000),
            random.nextInt(50_000),
            list(random.nextInt(8), i -> "\"" + word() + "\""));
  }

  /** A bundle of medical resources. */
  private String bundle() {
    String patient = hex(32);
    return "{\"kind\": \"Bundle\", \"count\": 300, \"entry\": %s}"
        .formatted(list(RESOURCES, i -> resource(patient)));
  }

  private String resource(String patient) {
    String id = hex(32);
    String code =
        "{\"coding\": [{\"system\": \"http://loinc.org\", \"code\": \"%d-%d\", \"display\": \"%s\"}]}"
            .formatted(random.nextInt(90_000), random.nextInt(10), DocumentSet.words(random, 3));
    String rest = random.nextBoolean() ? observation() : encounter();
    return """
        {"fullUrl": "urn:uuid:%s", "resource": {"id": "%s", "code": %s, "subject": {"reference": "urn:uuid:%s"}, %s}, \
        "request": {"method": "POST", "url": "Resource"}}\
        """
        .formatted(id, id, code, patient, rest);
  }

  private String observation() {
    return """
        "resourceType": "Observation", "status": "final", "effectiveDateTime": "%s", "valueQuantity": {"value": %s, \
        "unit": "mm[Hg]", "system": "http://unitsofmeasure.org", "code": "mm[Hg]"}\
        """
        .formatted(time(), random.nextInt(100_000) / 1000.0);
  }

  private String encounter() {
    return """
        "resourceType": "Encounter", "status": "finished", "participant": [{"individual": {"reference": "urn:uuid:%s", \
        "display": "%s"}}], "period": {"start": "%s", "end": "%s"}\
        """
        .formatted(hex(32), DocumentSet.words(random, 2), time(), time());
  }

  /** Areas on a map. */
  private String features() {
    return "{\"kind\": \"FeatureCollection\", \"count\": 100, \"features\": %s}"
        .formatted(list(FEATURES, this::feature));
  }

  private String feature(int number) {
    double[] at = {random.nextDouble() * 360 - 180, random.nextDouble() * 180 - 90};
    String ring =
        list(
            20 + random.nextInt(300),
            i -> {
              at[0] += random.nextGaussian() / 100;
              at[1] += random.nextGaussian() / 100;
              return String.format(Locale.ROOT, "[%.6f, %.6f]", at[0], at[1]);
            });
    return """
        {"type": "Feature", "properties": {"id": %d, "name": "%s", "population": %d}, \
        "geometry": {"type": "Polygon", "coordinates": [%s]}}\
        """
        .formatted(number, DocumentSet.words(random, 2), random.nextInt(10_000_000), ring);
  }

  /** The measurements of a weather station. */
  private String series() {
    double[] value = {20};
    return "{\"kind\": \"series\", \"count\": 10000, \"points\": %s}"
        .formatted(
            list(
                POINTS,
                i -> {
                  value[0] += random.nextGaussian() / 5;
                  return String.format(
                      Locale.ROOT,
                      "{\"t\": %d, \"v\": %.2f, \"q\": \"%s\"}",
                      1_700_000_000L + 60L * i,
                      value[0],
                      random.nextInt(20) == 0 ? "suspect" : "ok");
                }));
  }

  private String word() {
    return DocumentSet.words(random, 1).toLowerCase(Locale.ROOT);
  }

  private String time() {
    return String.format(
        Locale.ROOT,
        "20%02d-%02d-%02dT%02d:%02d:%02dZ",
        10 + random.nextInt(16),
        1 + random.nextInt(12),
        1 + random.nextInt(28),
        random.nextInt(24),
        random.nextInt(60),
        random.nextInt(60));
  }

  private String hex(int length) {
    return random.ints(length, 0, 16).mapToObj(Integer::toHexString).collect(Collectors.joining());
  }
}
