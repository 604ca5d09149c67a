package io.pgtoaster.it.hibernate.jsonb;

import static com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility.ANY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.hibernate.jsonb.KeyedJson;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

/** Any Jackson mapper writes and reads documents as their JSON. */
class JacksonIT extends DocumentOrmSuite {
  private static final JsonMapper MAPPER =
      JsonMapper.builder().changeDefaultVisibility(v -> v.withFieldVisibility(ANY)).build();

  @Test
  void entity_isWrittenWithItsDocument() throws Exception {
    persist(new Person(1, KeyedJson.of(Profile.big("b"))), new Person(2, null));
    inTransaction(
        s -> {
          Person person = s.find(Person.class, 1L);
          person.profile.set("height", 5);
          JsonNode tree = MAPPER.readTree(MAPPER.writeValueAsString(person));
          assertThat(tree.get("name").stringValue()).isEqualTo("name 1");
          JsonNode profile = tree.get("profile");
          assertThat(profile.get("height").intValue()).isEqualTo(5);
          assertThat(profile.get("roles")).hasSize(400);
          assertThat(profile.get("bio").stringValue()).isEqualTo("b".repeat(2000));
          assertThat(MAPPER.writeValueAsString(person)).contains("1234567890.10");
          assertThat(MAPPER.writeValueAsString(List.of(person.profile))).startsWith("[{");
          assertThat(MAPPER.writeValueAsString(s.find(Person.class, 2L)))
              .contains("\"profile\":null");
        });
  }

  @Test
  void entity_isReadWithItsDocument_andWritten() throws Exception {
    String json =
        """
        {"id": 1, "name": "n", "profile": {"nick": "x", "height": 3, "bio": null, "more": [1],
          "balance": 0.123456789012345678901234567890}}""";
    Person read = MAPPER.readValue(json, Person.class);
    Profile profile = read.profile.load();
    assertThat(profile.nick()).isEqualTo("x");
    assertThat(profile.balance()).hasToString("0.123456789012345678901234567890");
    inTransaction(s -> s.persist(read));
    assertThat(people().text(1))
        .contains(
            "{\"bio\": null, \"more\": [1], \"nick\": \"x\", \"height\": 3, \"balance\":"
                + " 0.123456789012345678901234567890}");
    assertThat(MAPPER.readValue("{\"id\": 2, \"profile\": null}", Person.class).profile).isNull();
    KeyedJson<List<Profile>> list =
        MAPPER.readValue("[{\"nick\": \"y\"}]", new TypeReference<KeyedJson<List<Profile>>>() {});
    assertThat(list.load()).singleElement().extracting(Profile::nick).isEqualTo("y");
    assertThatThrownBy(() -> MAPPER.readValue("{\"profile\": \"\\u0000\"}", Person.class))
        .isInstanceOf(DatabindException.class)
        .hasMessageContaining("profile");
  }

  @Test
  void mergedEntity_ofJson_replacesTheDocument() throws Exception {
    persist(new Person(1, KeyedJson.of(Profile.big("b"))));
    Person read = MAPPER.readValue("{\"id\": 1, \"profile\": {\"nick\": \"z\"}}", Person.class);
    inTransaction(s -> assertThat(s.merge(read).profile.load().nick()).isEqualTo("z"));
    assertThat(people().text(1)).contains("{\"nick\": \"z\"}");
  }

  @Test
  void serializingADetachedEntity_failsIfSomethingIsNotLoaded() throws Exception {
    persist(new Person(1, KeyedJson.of(Profile.big("b"))));
    Person detached = fromTransaction(s -> s.find(Person.class, 1L));
    if (mapped.keyed()) {
      assertThatThrownBy(() -> MAPPER.writeValueAsString(detached))
          .isInstanceOf(DatabindException.class)
          .hasMessageContaining("profile");
    } else {
      assertThat(MAPPER.writeValueAsString(detached)).contains("role 399 of b");
    }
  }

  @Test
  void newDocument_isWrittenLikeItsEntity() {
    KeyedJson<Profile> profile = KeyedJson.of(Profile.small("s"));
    JsonMapper snake =
        MAPPER.rebuild().propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE).build();
    assertThat(snake.writeValueAsString(profile)).contains("\"nick\":\"s\"").contains("1.00");
  }

  @Test
  void genericTypes_merges_andAbsentValues() throws Exception {
    persist(new Person(1, KeyedJson.of(Profile.big("b"))));
    inTransaction(
        s -> {
          KeyedJson<Profile> profile = s.find(Person.class, 1L).profile;
          assertThat(profile.get("roles", new TypeReference<List<Profile.Role>>() {}))
              .contains(Profile.big("b").roles());
          assertThat(profile.setIfAbsent("nick", "c")).isFalse();
          assertThat(profile.setIfAbsent("more", List.of(1, 3))).isTrue();
          profile.insertAfter("more[0]", 2);
          profile.merge(
              MAPPER.readTree(
                  "{\"bio\": null, \"height\": 7, \"new\": {\"a\": {\"b\": null, \"c\": 1}},"
                      + " \"roles\": {\"x\": null}}"));
        });
    assertThat(people().text(1))
        .contains(
            "{\"new\": {\"a\": {\"c\": 1}}, \"more\": [1, 2, 3], \"nick\": \"b\", \"roles\": {},"
                + " \"height\": 7, \"balance\": 1234567890.10}");
    inTransaction(
        s -> {
          KeyedJson<Profile> profile = s.find(Person.class, 1L).profile;
          profile.merge(MAPPER.readTree("{\"new\": {\"a\": {\"c\": null, \"d\": 2}, \"e\": 3}}"));
          assertThat(profile.get("new").orElseThrow()).hasToString("{\"a\":{\"d\":2},\"e\":3}");
          profile.merge(List.of(1));
        });
    assertThat(people().text(1)).contains("[1]");
  }
}
