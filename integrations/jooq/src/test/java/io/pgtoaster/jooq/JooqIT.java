package io.pgtoaster.jooq;

import static io.pgtoaster.jooq.PgToasterDsl.append;
import static io.pgtoaster.jooq.PgToasterDsl.contains;
import static io.pgtoaster.jooq.PgToasterDsl.expand;
import static io.pgtoaster.jooq.PgToasterDsl.get;
import static io.pgtoaster.jooq.PgToasterDsl.getText;
import static io.pgtoaster.jooq.PgToasterDsl.increment;
import static io.pgtoaster.jooq.PgToasterDsl.insert;
import static io.pgtoaster.jooq.PgToasterDsl.json;
import static io.pgtoaster.jooq.PgToasterDsl.keepLast;
import static io.pgtoaster.jooq.PgToasterDsl.merge;
import static io.pgtoaster.jooq.PgToasterDsl.patch;
import static io.pgtoaster.jooq.PgToasterDsl.path;
import static io.pgtoaster.jooq.PgToasterDsl.remove;
import static io.pgtoaster.jooq.PgToasterDsl.search;
import static io.pgtoaster.jooq.PgToasterDsl.searchMatches;
import static io.pgtoaster.jooq.PgToasterDsl.searchOrdered;
import static io.pgtoaster.jooq.PgToasterDsl.searchRanked;
import static io.pgtoaster.jooq.PgToasterDsl.set;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.BlobOptions;
import io.pgtoaster.column.ColumnName;
import io.pgtoaster.column.JsonOrder;
import io.pgtoaster.column.JsonRange;
import io.pgtoaster.column.JsonSearch;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.embedded.EmbeddedPostgres;
import io.pgtoaster.embedded.Home;
import io.pgtoaster.embedded.PostgresBinaries;
import io.pgtoaster.error.RowNotFoundException;
import io.pgtoaster.internal.json.Json;
import io.pgtoaster.jsonb.JsonIndex;
import io.pgtoaster.jsonb.JsonOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jooq.DSLContext;
import org.jooq.JSONB;
import org.jooq.Record;
import org.jooq.Record1;
import org.jooq.SQLDialect;
import org.jooq.Table;
import org.jooq.TableField;
import org.jooq.codegen.GenerationTool;
import org.jooq.conf.MappedSchema;
import org.jooq.conf.RenderMapping;
import org.jooq.conf.Settings;
import org.jooq.exception.DataAccessException;
import org.jooq.exception.DataTypeException;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jooq.impl.TableImpl;
import org.jooq.meta.jaxb.Configuration;
import org.jooq.meta.jaxb.Database;
import org.jooq.meta.jaxb.ForcedType;
import org.jooq.meta.jaxb.Generator;
import org.jooq.meta.jaxb.Jdbc;
import org.jooq.meta.jaxb.Target;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

class JooqIT {
  @AutoClose private static EmbeddedPostgres postgres;
  private static PGSimpleDataSource dataSource;
  private static DSLContext ctx;
  private static PgToaster toaster;

  public record Event(int year, String what) {}

  public record Profile(String name, List<Event> events) {}

  public static final class ProfileConverter extends DocumentConverter<Profile> {
    private static final long serialVersionUID = 1;

    public ProfileConverter() {
      super(Profile.class);
    }
  }

  /** As the code generator writes it. */
  public static final class Person extends TableImpl<Record> {
    private static final long serialVersionUID = 1;

    public final TableField<Record, Long> ID =
        createField(DSL.name("id"), SQLDataType.BIGINT, this);
    public final TableField<Record, Profile> DOC =
        createField(DSL.name("doc"), SQLDataType.JSONB, this, "", new ProfileConverter());

    private Person() {
      super(DSL.name("person"), DSL.schema(DSL.name("public")));
    }
  }

  private static final Person PERSON = new Person();

  @BeforeAll
  static void start() {
    postgres =
        EmbeddedPostgres.builder(PostgresBinaries.fromClasspath(Home.cacheDirectory()))
            .temporary()
            .setting("fsync", "off")
            .start();
    dataSource = new PGSimpleDataSource();
    dataSource.setURL(postgres.jdbcUrlWithPassword("postgres"));
    ctx = DSL.using(dataSource, SQLDialect.POSTGRES);
    ctx.execute("CREATE TABLE person (id bigint PRIMARY KEY, audio bigint, doc jsonb)");
    install();
  }

  private static void install() {
    PgToaster toaster = PgToaster.create(dataSource);
    toaster.catalog().install();
    toaster.catalog().attachIfAbsent("person", "audio", BlobOptions.defaults());
    toaster.catalog().attachIfAbsent("person", "doc", JsonOptions.defaults());
    toaster.catalog().createIndex(ColumnName.of("person", "doc"), JsonIndex.containment());
    toaster.catalog().createIndex(ColumnName.of("person", "doc"), JsonIndex.text("simple"));
    toaster.catalog().createIndex(ColumnName.of("person", "doc"), JsonIndex.path("events[*].year"));
    JooqIT.toaster = toaster;
  }

  private static Profile ada() {
    return new Profile(
        "Ada", IntStream.range(0, 400).mapToObj(i -> new Event(1815 + i, "event " + i)).toList());
  }

  @BeforeEach
  void insertAda() {
    ctx.deleteFrom(PERSON).execute();
    toaster.documents("person", "doc").insert(7, ada());
  }

  private static String text(String path) {
    return toaster.documents("person", "doc").at(7, path).text().orElse(null);
  }

  @Test
  void samples_run() throws IOException {
    Profile profile =
        ctx.select(expand(PERSON.DOC)).from(PERSON).where(PERSON.ID.eq(7L)).fetchSingle().value1();
    String what =
        ctx.select(getText(PERSON.DOC, path("events[0].what")))
            .from(PERSON)
            .where(contains(PERSON.DOC, json(Map.of("name", "Ada"))))
            .fetchSingle()
            .value1();
    Table<?> found =
        search(
            PERSON,
            PERSON.DOC,
            JsonSearch.contains(Map.of("events", List.of(Map.of("year", 1815)))));
    List<Long> ids = ctx.select(found.field(PERSON.ID)).from(found).fetch().map(Record1::value1);
    assertThat(profile).isEqualTo(ada());
    assertThat(what).isEqualTo("event 0");
    assertThat(ids).containsExactly(7L);

    ctx.update(PERSON)
        .set(
            PERSON.DOC,
            append(
                set(PERSON.DOC, path("name"), json("Countess")),
                path("events"),
                json(new Event(1852, "dies"))))
        .where(PERSON.ID.eq(7L))
        .execute();
    assertThat(text("name")).isEqualTo("\"Countess\"");
    assertThat(text("events[400].year")).isEqualTo("1852");
    ctx.update(PERSON)
        .set(PERSON.DOC, keepLast(PERSON.DOC, path("events"), 300))
        .where(PERSON.ID.eq(7L))
        .execute();
    assertThat(text("events[299].year")).isEqualTo("1852");

    ctx.transaction(
        transaction -> {
          transaction.dsl().insertInto(PERSON, PERSON.ID).values(8L).execute();
          transaction
              .dsl()
              .connection(
                  connection -> {
                    toaster
                        .blobs("person", "audio")
                        .on(connection)
                        .append(8, "hello".getBytes(UTF_8));
                    toaster
                        .documents("person", "doc")
                        .on(connection)
                        .put(8, new Profile("Bob", List.of()));
                  });
        });
    assertThat(toaster.blobs("person", "audio").length(8)).isEqualTo(5);
    assertThat(ctx.select(PERSON.DOC).from(PERSON).where(PERSON.ID.eq(8L)).fetchSingle().value1())
        .isEqualTo(new Profile("Bob", List.of()));

    String source = Files.readString(Path.of("src/test/java/io/pgtoaster/jooq/JooqIT.java"));
    List<String> samples =
        Pattern.compile("```java\n(.*?)```", Pattern.DOTALL)
            .matcher(Files.readString(Path.of("README.md")))
            .results()
            .map(sample -> sample.group(1))
            .toList();
    assertThat(samples)
        .hasSize(5)
        .allSatisfy(sample -> assertThat(source).containsIgnoringWhitespaces(sample));
  }

  @Test
  void everyEdit_changesTheDocument() {
    ctx.update(PERSON)
        .set(
            PERSON.DOC,
            increment(
                insert(
                    remove(PERSON.DOC, path("events[1]")),
                    path("events[0]"),
                    json(new Event(1, "first"))),
                path("seen"),
                2))
        .execute();
    assertThat(text("events[0].what")).isEqualTo("\"first\"");
    assertThat(text("events[2].year")).isEqualTo("1817");
    assertThat(text("seen")).isEqualTo("2");

    ctx.update(PERSON)
        .set(PERSON.DOC, merge(PERSON.DOC, json(Map.of("seen", 7, "name", "Countess"))))
        .execute();
    assertThat(text("seen")).isEqualTo("7");
    ctx.update(PERSON)
        .set(
            PERSON.DOC,
            patch(PERSON.DOC, json(List.of(Map.of("op", "remove", "path", "/events/0")))))
        .execute();
    assertThat(text("events[0].year")).isEqualTo("1815");
  }

  @Test
  void valuesAtPaths_areConverted() {
    assertThat(
            ctx.select(
                    get(PERSON.DOC, path("events[-1]"))
                        .convert(new DocumentConverter<>(Event.class)))
                .from(PERSON)
                .fetchSingle()
                .value1())
        .isEqualTo(new Event(2214, "event 399"));
    assertThat(
            ctx.select(get(PERSON.DOC, path("events[0].year")).convert(new JsonNodeConverter()))
                .from(PERSON)
                .fetchSingle()
                .value1()
                .asInt())
        .isEqualTo(1815);
    assertThat(ctx.select(get(PERSON.DOC, path("none"))).from(PERSON).fetchSingle().value1())
        .isNull();
    assertThat(
            ctx.fetchCount(
                ctx.selectFrom(PERSON)
                    .where(
                        contains(PERSON.DOC, json(Map.of("events", List.of(Map.of("year", 7))))))))
        .isZero();
  }

  @Test
  void search_usesTheMappedSchema() {
    MappedSchema tenant = new MappedSchema().withInput("public").withOutput("tenant7");
    DSLContext mapped =
        DSL.using(
            SQLDialect.POSTGRES,
            new Settings().withRenderMapping(new RenderMapping().withSchemata(tenant)));
    Table<?> found = search(PERSON, PERSON.DOC, JsonSearch.contains(Map.of()));
    assertThat(mapped.render(DSL.selectFrom(found)))
        .contains("CAST(NULL AS \"tenant7\".\"person\")")
        .doesNotContain("public");
  }

  @Test
  void searchForWordsAtPaths_ignoresOtherStrings() {
    JsonSearch words = JsonSearch.text("\"event 3\"");
    assertThat(ctx.fetchCount(search(PERSON, PERSON.DOC, words))).isEqualTo(1);
    assertThat(ctx.fetchCount(search(PERSON, PERSON.DOC, words.withTextAt("name")))).isEqualTo(0);
    assertThat(ctx.fetchCount(search(PERSON, PERSON.DOC, words.withTextAt("events[*].what"))))
        .isEqualTo(1);
  }

  @Test
  void increment_isExact() {
    assertThat(ctx.renderInlined(PgToasterDsl.increment(PERSON.DOC, path("n"), 0.1 + 0.2)))
        .contains("0.30000000000000004");
  }

  @Test
  void search_limitsRows_andJoins() {
    for (long id = 10; id < 20; id++) {
      toaster
          .documents("person", "doc")
          .insert(id, new Profile("p" + id, List.of(new Event(1, "a"))));
    }
    JsonSearch year = JsonSearch.contains(Map.of("events", List.of(Map.of("year", 1))));
    Table<?> found = search(PERSON, PERSON.DOC, year.withLimit(3));
    assertThat(
            ctx.select(found.field(PERSON.ID), expand(found.field(PERSON.DOC)))
                .from(found)
                .orderBy(found.field(PERSON.ID))
                .fetch()
                .map(row -> row.value1() + row.value2().name()))
        .containsExactly("10p10", "11p11", "12p12");
    assertThatThrownBy(() -> search(PERSON, PERSON.DOC, year.withAfter(12)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void searchMatches_returnsARowForEachMatch() {
    JsonSearch words = JsonSearch.text("\"event 3\" or \"event 7\"").withTextAt("events[*].what");
    Table<?> found = searchMatches(PERSON, PERSON.DOC, words);
    assertThat(
            ctx.select(
                    found.field(PERSON.ID),
                    found.field("path", String[].class),
                    found.field("value", JSONB.class))
                .from(found)
                .fetch()
                .map(row -> row.value1() + " " + List.of(row.value2()) + " " + row.value3()))
        .containsExactly("7 [events, 3, what] \"event 3\"", "7 [events, 7, what] \"event 7\"");
    JsonSearch year = JsonSearch.contains(Map.of("events", List.of(Map.of("year", 1815))));
    assertThat(ctx.fetchCount(searchMatches(PERSON, PERSON.DOC, year))).isEqualTo(1);
    assertThatThrownBy(() -> searchMatches(PERSON, PERSON.DOC, year.withAfter(12)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void searchRanked_returnsRanksAndSnippets() {
    toaster.documents("person", "doc").insert(8, new Profile("event 3, event 3", List.of()));
    JsonSearch words = JsonSearch.text("\"event 3\"");
    Table<?> found = searchRanked(PERSON, PERSON.DOC, words.withTextAt("name"));
    assertThat(
            ctx.select(found.field(PERSON.ID), found.field("snippet", String.class))
                .from(found)
                .where(found.field("rank", Float.class).gt(0f))
                .fetch()
                .map(row -> row.value1() + row.value2()))
        .containsExactly("8<b>event</b> <b>3</b>, <b>event</b> <b>3</b>");
    assertThat(ctx.fetchCount(searchRanked(PERSON, PERSON.DOC, words))).isEqualTo(2);
    assertThat(ctx.fetchCount(searchRanked(PERSON, PERSON.DOC, words.withLimit(1)))).isEqualTo(1);
    JsonSearch range = JsonSearch.range(JsonRange.of("events[*].year").above(0));
    for (JsonSearch wrong : List.of(range, range.withText("event"), words.withAfter(7))) {
      assertThatThrownBy(() -> searchRanked(PERSON, PERSON.DOC, wrong))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void searchOrdered_returnsPages() {
    for (int id = 10; id < 15; id++) {
      Profile profile = new Profile("p" + id, List.of(new Event(3000 - id, "a")));
      toaster.documents("person", "doc").insert(id, profile);
    }
    JsonSearch years = JsonSearch.range(JsonRange.of("events[*].year").above(1815)).withLimit(3);
    JsonOrder order = JsonOrder.ascending("events[*].year");
    assertThat(ordered(years, order)).containsExactly("7 1816", "14 2986", "13 2987");
    for (Object key : List.of(13L, new RowKey(List.of("13")))) {
      JsonOrder next = order.withAfter(new JsonOrder.Hit(key, Json.toTree(2987)));
      assertThat(ordered(years, next)).containsExactly("12 2988", "11 2989", "10 2990");
    }
    assertThat(ordered(years.withText("a"), JsonOrder.descending("events[*].year")))
        .containsExactly("10 2990", "11 2989", "12 2988");
    assertThatThrownBy(() -> ordered(years.withAfter(12), order))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static List<String> ordered(JsonSearch search, JsonOrder order) {
    Table<?> found = searchOrdered(PERSON, PERSON.DOC, search, order);
    return ctx.select(found.field(PERSON.ID), found.field("value", JSONB.class))
        .from(found)
        .fetch()
        .map(row -> row.value1() + " " + row.value2());
  }

  @Test
  void partOfASplitDocument_isRejected() {
    assertThatThrownBy(() -> ctx.select(PERSON.DOC).from(PERSON).fetch())
        .isInstanceOf(DataAccessException.class)
        .rootCause()
        .isInstanceOf(DataTypeException.class)
        .hasMessageContaining("PgToasterDsl.expand(..)");
    assertThatThrownBy(() -> new JsonNodeConverter().from(JSONB.valueOf("{\"$pgtoaster\": 7}")))
        .isInstanceOf(DataTypeException.class);
    assertThat(new JsonNodeConverter().from(JSONB.valueOf("{\"$pgtoaster\": \"mine\"}")).size())
        .isEqualTo(1);
  }

  @Test
  void converter_usesItsMapper() {
    JsonMapper mapper =
        JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.UPPER_CAMEL_CASE)
            .build();
    DocumentConverter<Event> converter = new DocumentConverter<>(Event.class, mapper);
    JSONB stored = converter.to(new Event(1, "a"));
    assertThat(stored).isEqualTo(JSONB.valueOf("{\"What\": \"a\", \"Year\": 1}"));
    assertThat(converter.from(stored)).isEqualTo(new Event(1, "a"));
    assertThat(converter.from(null)).isNull();
    assertThat(converter.to(null)).isNull();
    JsonNode exact = new JsonNodeConverter().from(JSONB.valueOf("0.12345678901234567890123456789"));
    assertThat(new JsonNodeConverter().to(exact).data())
        .isEqualTo("0.12345678901234567890123456789");
    assertThatThrownBy(() -> converter.from(JSONB.valueOf("[1]")))
        .isInstanceOf(DataTypeException.class)
        .hasMessageContaining("Event");
  }

  @Test
  void exceptions_comeThroughUnchanged_andRollBack() {
    assertThatThrownBy(
            () ->
                ctx.transaction(
                    transaction -> {
                      transaction.dsl().insertInto(PERSON, PERSON.ID).values(9L).execute();
                      transaction
                          .dsl()
                          .connection(
                              c -> toaster.blobs("person", "audio").on(c).append(99, new byte[1]));
                    }))
        .isInstanceOf(RowNotFoundException.class);
    assertThat(ctx.fetchCount(PERSON)).isEqualTo(1);
  }

  @Test
  void codeGenerator_usesTheForcedType(@TempDir Path folder) throws Exception {
    GenerationTool.generate(
        new Configuration()
            .withJdbc(new Jdbc().withUrl(postgres.jdbcUrlWithPassword("postgres")))
            .withGenerator(
                new Generator()
                    .withDatabase(
                        new Database()
                            .withInputSchema("public")
                            .withForcedTypes(
                                new ForcedType()
                                    .withUserType(Profile.class.getCanonicalName())
                                    .withConverter(ProfileConverter.class.getCanonicalName())
                                    .withIncludeExpression("person\\.doc")))
                    .withTarget(
                        new Target()
                            .withPackageName("generated")
                            .withDirectory(folder.toString()))));
    assertThat(Files.readString(folder.resolve("generated/tables/Person.java")))
        .contains("Profile> DOC")
        .contains("ProfileConverter()");
  }
}
