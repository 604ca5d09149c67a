package io.pgtoaster.it.hibernate.jsonb;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.pgtoaster.PgToaster;
import io.pgtoaster.hibernate.jsonb.KeyedJson;
import io.pgtoaster.it.hibernate.jsonb.Shapes.Base;
import io.pgtoaster.it.hibernate.jsonb.Shapes.Composite;
import io.pgtoaster.it.hibernate.jsonb.Shapes.Numbered;
import io.pgtoaster.it.hibernate.jsonb.Shapes.Sub;
import io.pgtoaster.it.hibernate.kit.OrmBuilder;
import io.pgtoaster.jsonb.DocumentColumn;
import java.math.BigDecimal;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Rows are found by any kind of key, and batches of rows also write their documents. */
class ShapesIT extends DocumentOrmSuite {
  @Override
  OrmBuilder configure(OrmBuilder builder) {
    String attach =
        "SELECT pgtoaster.attach('%s', '%s', '" + (mapped.keyed() ? "keyed" : "default") + "')";
    return builder
        .schema(
            "CREATE TABLE numbered (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, profile jsonb,"
                + " mapped jsonb)",
            "CREATE TABLE \"Odd Table\" (number integer, region text, \"Doc ü\" jsonb,"
                + " PRIMARY KEY (number, region))",
            "CREATE TABLE base (id uuid PRIMARY KEY, profile jsonb)",
            "CREATE TABLE sub (id uuid PRIMARY KEY REFERENCES base, second jsonb, third jsonb)",
            attach.formatted("numbered", "profile"),
            attach.formatted("numbered", "mapped"),
            attach.formatted("\"Odd Table\"", "Doc ü")
                + (mapped.keyed()
                    ? "; SELECT pgtoaster.set_options('\"Odd Table\"', 'Doc ü',"
                        + " '{\"keep_inline\": [\"/nick\"]}')"
                    : ""),
            attach.formatted("base", "profile"),
            attach.formatted("sub", "second"),
            attach.formatted("sub", "third"))
        .entities(
            Person.class, Account.class, Numbered.class, Composite.class, Base.class, Sub.class)
        .set("pgtoaster.json_mapper", WithoutEmpty.class)
        .batches(20);
  }

  /** Omits empty members. */
  public static final class WithoutEmpty implements Supplier<JsonMapper> {
    @Override
    public JsonMapper get() {
      return JsonMapper.builder()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .changeDefaultPropertyInclusion(v -> v.withValueInclusion(JsonInclude.Include.NON_EMPTY))
          .build();
    }
  }

  @AfterEach
  void noRows() throws Exception {
    orm()
        .database()
        .run("DELETE FROM numbered; DELETE FROM \"Odd Table\"; DELETE FROM sub; DELETE FROM base");
  }

  private DocumentColumn column(String table, String column) throws Exception {
    return PgToaster.create(orm().database().dataSource()).documents(table, column);
  }

  @Test
  void generatedIdentifier_getsItsDocuments() throws Exception {
    Numbered numbered = new Numbered();
    numbered.profile = KeyedJson.of(Profile.big("b"));
    numbered.mapped = Profile.big("c");
    inTransaction(
        s -> {
          s.persist(numbered);
          numbered.profile.set("height", 1);
        });
    assertThat(column("numbered", "profile").at(numbered.id, "roles").size()).hasValue(400);
    assertThat(column("numbered", "profile").at(numbered.id, "height").get(Integer.class))
        .contains(1);
    assertThat(column("numbered", "mapped").load(numbered.id, Profile.class))
        .contains(Profile.big("c"));
  }

  @Test
  void generatedIdentifier_isInsertedWithItsDocumentsBeforeTheFlush() throws Exception {
    Profile small = new Profile("s", 1, BigDecimal.ONE, null, "t");
    for (Profile profile : List.of(Profile.big("b"), small)) {
      Numbered numbered = new Numbered();
      numbered.profile = KeyedJson.of(profile);
      numbered.mapped = profile;
      inTransaction(
          s -> {
            s.persist(numbered);
            orm().statements();
            s.flush();
            assertThat(orm().sql()).as("written by the flush").isEmpty();
            s.clear();
          });
      assertThat(column("numbered", "profile").load(numbered.id, Profile.class)).contains(profile);
      assertThat(column("numbered", "mapped").load(numbered.id, Profile.class)).contains(profile);
    }
  }

  @Test
  void compositeIdentifier_addressesItsRow() throws Exception {
    inTransaction(
        s -> {
          for (int i = 0; i < 3; i++) {
            Composite composite = new Composite();
            composite.id = new Shapes.Key("eu", i);
            composite.profile =
                KeyedJson.ofJson("{\"nick\": \"n\", \"big\": [\"" + "x".repeat(3000 + i) + "\"]}");
            s.persist(composite);
          }
        });
    inTransaction(
        s -> {
          for (Composite composite :
              s.createSelectionQuery("from Composite order by id.number", Composite.class).list()) {
            int number = composite.id.number();
            assertThat(composite.profile.get("big[0]", String.class).orElseThrow())
                .hasSize(3000 + number);
            composite.profile.set("nick", "n" + number);
            composite.profile.append("big", number);
          }
        });
    DocumentColumn column = column("Odd Table", "Doc ü");
    for (int i = 0; i < 3; i++) {
      assertThat(column.at(List.of(i, "eu"), "nick").get(String.class)).contains("n" + i);
      assertThat(column.at(List.of(i, "eu"), "big[1]").get(Integer.class)).contains(i);
    }
  }

  @Test
  void joinedSubclass_hasDocumentsInBothTables() throws Exception {
    UUID id = UUID.randomUUID();
    inTransaction(
        s -> {
          Sub sub = new Sub();
          sub.id = id;
          sub.profile = KeyedJson.of(Profile.big("a"));
          sub.second = KeyedJson.of(Profile.big("b"));
          sub.third = Profile.big("c");
          s.persist(sub);
        });
    inTransaction(
        s -> {
          Base base = s.find(Base.class, id);
          base.profile.set("height", 1);
          Sub sub = (Sub) base;
          assertThat(sub.second.load()).isEqualTo(Profile.big("b"));
          assertThat(sub.third).isEqualTo(Profile.big("c"));
          sub.second.set("roles[0].year", 2);
          sub.third = Profile.small("c");
        });
    assertThat(column("base", "profile").at(id, "height").get(Integer.class)).contains(1);
    assertThat(column("sub", "second").at(id, "roles[0].year").get(Integer.class)).contains(2);
    assertThat(column("sub", "third").at(id, "height").get(Integer.class)).contains(170);
    assertThat(column("sub", "third").at(id, "roles").exists()).isFalse();
    inTransaction(s -> s.remove(s.find(Base.class, id)));
  }

  @Test
  void batchOfInserts_isWrittenWithAllDocuments() throws Exception {
    inTransaction(
        s -> {
          for (int i = 0; i < 30; i++) {
            s.persist(new Person(i, KeyedJson.of(Profile.big("b" + i))));
          }
        });
    for (long i = 0; i < 30; i++) {
      assertThat(people().load(i, Profile.class)).contains(Profile.big("b" + i));
    }
  }

  @Test
  void mapperNamedInTheSettings_isUsed() throws Exception {
    persist(new Person(1, KeyedJson.of(Profile.small("s"))));
    assertThat(people().at(1L, "roles").exists()).isFalse();
    assertThat(people().at(1L, "nick").exists()).isTrue();
  }

  @Test
  void lastWriter_wins_ifTheMappingAllowsIt() throws Exception {
    Composite composite = new Composite();
    composite.id = new Shapes.Key("eu", 1);
    composite.profile = KeyedJson.ofJson("{\"nick\": \"n\", \"other\": 1}");
    inTransaction(s -> s.persist(composite));
    inTransaction(
        s -> {
          KeyedJson<?> profile = s.find(Composite.class, composite.id).profile;
          inTransaction(o -> o.find(Composite.class, composite.id).profile.set("nick", 1));
          profile.set("nick", 2);
        });
    assertThat(column("Odd Table", "Doc ü").at(List.of(1, "eu"), "nick").get(Integer.class))
        .contains(2);
  }
}
