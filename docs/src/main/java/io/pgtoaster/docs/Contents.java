package io.pgtoaster.docs;

import java.util.List;

/** The pages of the navigation, in order; their names are their headings. */
final class Contents {
  /** Some pages under a heading. */
  record Part(String name, List<String> files) {}

  static final List<Part> PARTS =
      List.of(
          new Part("Start", List.of("README.md", "docs/getting-started.md")),
          new Part(
              "Guides",
              List.of(
                  "docs/jdbc.md",
                  "docs/telemetry.md",
                  "docs/documents.md",
                  "docs/search.md",
                  "docs/hibernate.md",
                  "docs/spring.md",
                  "docs/spring-web.md",
                  "docs/chat-memory.md",
                  "integrations/jdbi/README.md",
                  "integrations/jooq/README.md",
                  "integrations/quarkus/README.md",
                  "docs/sql.md",
                  "docs/reactive.md",
                  "docs/migration.md",
                  "docs/multi-tenant.md")),
          new Part(
              "Running it",
              List.of(
                  "docs/operations.md",
                  "docs/scale-out.md",
                  "docs/troubleshooting.md",
                  "docs/compatibility.md",
                  "docs/extension.md",
                  "docs/postgrespro.md")),
          new Part(
              "Background",
              List.of(
                  "docs/glossary.md",
                  "docs/guarantees.md",
                  "docs/threat-model.md",
                  "docs/benchmarks.md",
                  "docs/architecture.md",
                  "docs/internals.md")),
          new Part(
              "Project",
              List.of("examples/README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")));

  private Contents() {}
}
