package io.pgtoaster.it.hibernate.jsonb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.error.PatchFailedException;
import io.pgtoaster.hibernate.jsonb.KeyedJson;
import io.pgtoaster.internal.json.Json;
import io.pgtoaster.jsonb.JsonPatch;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** RFC 6902 works on attributes as it does on columns. */
class KeyedJsonPatchIT extends DocumentOrmSuite {
  private static final List<String> DONE =
      List.of(
          "[{'op':'test','path':'/nick','value':'b'},{'op':'replace','path':'/nick','value':'c'}]",
          "[{'op':'add','path':'/roles/-','value':1},{'op':'add','path':'/roles/-','value':2}]",
          "[{'op':'add','path':'/roles/3','value':{'t':1}},{'op':'remove','path':'/roles/0'},"
              + "{'op':'replace','path':'/roles/2/t','value':[]}]",
          "[{'op':'move','from':'/roles/1','path':'/first'},{'op':'remove','path':'/bio'}]",
          "[{'op':'copy','from':'/roles/1','path':'/one'},{'op':'add','path':'/roles/1/x','value':1},"
              + "{'op':'add','path':'/one/y','value':2},{'op':'test','path':'/one/y','value':2}]",
          "[{'op':'add','path':'/new','value':{}},{'op':'add','path':'/new/5','value':null},"
              + "{'op':'move','from':'/height','path':'/new/height'}]",
          "[{'op':'move','from':'/roles','path':'/parts'},{'op':'remove','path':'/parts/399'}]",
          "[{'op':'add','path':'/5','value':5}]",
          "[{'op':'replace','path':'','value':[1,2]},{'op':'add','path':'/1','value':{'a':3}}]",
          "[{'op':'copy','from':'','path':'/whole'}]",
          "[]");

  private static final List<String> REFUSED =
      List.of(
          "[{'op':'add','path':'/x','value':1},{'op':'test','path':'/nick','value':'z'}]",
          "[{'op':'remove','path':'/roles/0'},{'op':'remove','path':'/roles/399'}]",
          "[{'op':'replace','path':'/nick','value':1},{'op':'replace','path':'/none','value':1}]",
          "[{'op':'add','path':'/roles/-','value':1},{'op':'add','path':'/none/x','value':1}]",
          "[{'op':'add','path':'/roles/401','value':1}]",
          "[{'op':'remove','path':'/roles/01'}]",
          "[{'op':'move','from':'/roles','path':'/roles/0'}]",
          "{'op':'add'}",
          "[{'op':'leap','path':'/a'}]");

  @BeforeEach
  void twoRows() throws Exception {
    persist(new Person(1, KeyedJson.of(Profile.big("b"))));
    persist(new Person(2, KeyedJson.of(Profile.big("b"))));
  }

  private static String json(String patch) {
    return patch.replace('\'', '"');
  }

  @Test
  void repeatedCopiesThatDoubleTheDocument_areRefused() throws Exception {
    List<Map<String, String>> copies =
        Collections.nCopies(40, Map.of("op", "copy", "from", "/roles", "path", "/roles/-"));
    JsonPatch few = JsonPatch.of(Json.toTree(copies.subList(0, 1))).withCopyLimit(1);
    inTransaction(
        session -> {
          KeyedJson<Profile> profile = session.find(Person.class, 1L).profile;
          assertThatThrownBy(() -> profile.patch(copies))
              .isInstanceOf(PatchFailedException.class)
              .hasMessageContaining("copies of the patch add more than 1048576 bytes");
          assertThatThrownBy(() -> profile.patch(few))
              .hasMessageContaining("copies of the patch add more than 1 bytes");
          profile.patch(few.withCopyLimit(1_000_000));
        });
    assertThat(people().at(1, "roles").size()).hasValue(401);
  }

  @Test
  void patches_haveTheSameResultAsInAColumn() throws Exception {
    String before = people().text(1).orElseThrow();
    for (String patch : DONE) {
      people().putJson(1, before);
      people().putJson(2, before);
      people().patchJson(2, json(patch));
      String expected = people().text(2).orElseThrow();
      inTransaction(
          s -> {
            KeyedJson<Profile> profile = s.find(Person.class, 1L).profile;
            profile.patch(Json.readTree(json(patch)));
            assertThat(profile.text()).as(patch).isEqualTo(expected);
          });
      assertThat(people().text(1)).as(patch).contains(expected);
    }
    people().putJson(1, before);
    people().putJson(2, before);
  }

  @Test
  void patchesOfTheSameDocument_areAppliedInSequence() throws Exception {
    inTransaction(
        s -> {
          KeyedJson<Profile> profile = s.find(Person.class, 1L).profile;
          profile.increment("height", 1);
          profile.append("roles", 1);
          for (String patch : DONE.subList(0, 5)) {
            profile.patch(Json.readTree(json(patch)));
          }
          people().at(2, "roles").append(1);
          people().at(2, "height").increment(1);
          DONE.subList(0, 5).forEach(patch -> people().patchJson(2, json(patch)));
          assertThat(profile.text()).isEqualTo(people().text(2).orElseThrow());
        });
    assertThat(people().text(1)).isEqualTo(people().text(2));
  }

  @Test
  void failingPatch_changesNothing_andTheEntityRemainsUsable() throws Exception {
    inTransaction(
        s -> {
          KeyedJson<Profile> profile = s.find(Person.class, 1L).profile;
          profile.set("mine", 1);
          String before = profile.text();
          for (String patch : REFUSED) {
            assertThatThrownBy(() -> profile.patch(Json.readTree(json(patch))))
                .as(patch)
                .isInstanceOf(PatchFailedException.class)
                .hasMessageNotContaining("role 5");
            assertThat(profile.text()).as(patch).isEqualTo(before);
            assertThatThrownBy(() -> people().patchJson(2, json(patch)))
                .isInstanceOf(PatchFailedException.class);
          }
          assertThatThrownBy(() -> profile.patch(List.of(Map.of("op", "remove", "path", ""))))
              .isInstanceOf(PatchFailedException.class)
              .hasMessageContaining("set the attribute to null");
        });
    assertThat(people().at(1, "mine").get(int.class)).contains(1);
    people().at(1, "mine").remove();
    assertThat(people().text(1)).isEqualTo(people().text(2));
  }

  @Test
  void patch_writesByPath() throws Exception {
    inTransaction(
        s -> {
          KeyedJson<Profile> profile = s.find(Person.class, 1L).profile;
          profile.patch(List.of(Map.of("op", "replace", "path", "/roles/5/title", "value", "new")));
          assertThat(profile.isLoaded("bio")).isEqualTo(!mapped.keyed());
        });
    assertThat(people().at(1, "roles[5].title").get(String.class)).contains("new");
  }
}
