package io.pgtoaster.it.hibernate.jsonb;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.PgToaster;
import io.pgtoaster.hibernate.jsonb.KeyedJson;
import io.pgtoaster.it.hibernate.kit.Orm;
import io.pgtoaster.it.kit.Setting;
import io.pgtoaster.jsonb.DocumentColumn;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Two attributes of an entity get the same document object. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SharedDocumentIT {
  @AutoClose private Orm orm;

  @Entity(name = "Article")
  static class Article {
    @Id long id;
    String name;
    KeyedJson<Profile> draft;
    KeyedJson<Profile> published;
  }

  @BeforeAll
  void open() {
    orm =
        Orm.on(Setting.newest().get(0))
            .entities(Article.class)
            .schema(
                "CREATE TABLE article (id bigint PRIMARY KEY, name text, draft jsonb,"
                    + " published jsonb)",
                "SELECT pgtoaster.attach('article'::regclass, 'draft', 'keyed', '{}')",
                "SELECT pgtoaster.attach('article'::regclass, 'published', 'keyed', '{}')")
            .build();
  }

  private DocumentColumn column(String name) {
    return PgToaster.create(orm.database().dataSource()).documents("article", name);
  }

  private void persist(long id, KeyedJson<Profile> draft, KeyedJson<Profile> published)
      throws Exception {
    orm.inTransaction(
        s -> {
          Article article = new Article();
          article.id = id;
          article.draft = draft;
          article.published = published;
          s.persist(article);
        });
  }

  @Test
  void newEntity_storesTheDocumentInBothAttributes() throws Exception {
    KeyedJson<Profile> document = KeyedJson.of(Profile.big("a"));
    persist(1, document, document);
    assertThat(column("draft").load(1L, Profile.class)).contains(Profile.big("a"));
    assertThat(column("published").load(1L, Profile.class)).contains(Profile.big("a"));
  }

  @Test
  void loadedEntity_getsACopy() throws Exception {
    for (int round = 0; round < 2; round++) {
      long id = 2L + round;
      String name = round == 0 ? null : "changed";
      persist(id, KeyedJson.of(Profile.big("d")), KeyedJson.of(Profile.big("p")));
      orm.inTransaction(
          s -> {
            Article article = s.find(Article.class, id);
            article.name = name;
            article.published = article.draft;
            s.flush();
            article.draft.set("height", 1);
            article.published.set("roles[1].title", "x");
          });
      Profile draft = column("draft").load(id, Profile.class).orElseThrow();
      Profile published = column("published").load(id, Profile.class).orElseThrow();
      assertThat(draft.height()).isEqualTo(1);
      assertThat(draft.roles()).isEqualTo(Profile.big("d").roles());
      assertThat(published.height()).isEqualTo(180);
      assertThat(published.nick()).isEqualTo("d");
      assertThat(published.roles().get(1).title()).isEqualTo("x");
    }
  }
}
