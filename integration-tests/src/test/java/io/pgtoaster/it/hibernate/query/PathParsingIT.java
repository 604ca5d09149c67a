package io.pgtoaster.it.hibernate.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.PgToaster;
import io.pgtoaster.it.hibernate.kit.Orm;
import io.pgtoaster.it.kit.Setting;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Brackets after a document contain a path. Elsewhere they keep their usual meaning. */
class PathParsingIT {
  @AutoClose private static Orm orm;

  @BeforeAll
  static void start() throws Exception {
    orm = Orm.on(Setting.newest().get(0)).entities(Person.class).build();
    orm.inTransaction(
        s -> {
          Person ann = new Person(1);
          Person bob = new Person(2);
          bob.mate = ann;
          ann.nicknames.put("roles", "A");
          s.persist(ann);
          s.persist(bob);
        });
    PgToaster.create(orm.dataSource())
        .documents("person", "profile")
        .putJson(1, "{\"name\": \"Ann\", \"a\": [[\"x\", \"y\"]]}");
  }

  private static List<String> ask(String hql) throws Exception {
    return orm.fromTransaction(s -> s.createQuery(hql, String.class).getResultList());
  }

  @Test
  void literalThatLooksLikeAPath_isALiteral() throws Exception {
    assertThat(ask("select 'p.profile[''a''][0]' from Person p where p.profile['name'] = 'Ann'"))
        .containsExactly("p.profile['a'][0]");
  }

  @Test
  void comments_areSkipped() throws Exception {
    assertThat(
            ask(
                "select /* p.profile['x'][0] */ p.profile /* here */ ['a'] /* and */ [0][1]"
                    + " from Person p where p.id = 1"))
        .containsExactly("y");
  }

  @Test
  void supplementaryCharactersBefore_doNotShiftThePath() throws Exception {
    assertThat(
            ask(
                "select concat('\uD83D\uDE00\uD83D\uDE00', p.profile['a'][0][0]) from Person p"
                    + " where p.id = 1"))
        .containsExactly("\uD83D\uDE00\uD83D\uDE00x");
  }

  @Test
  void implicitJoin_findsTheDocument() throws Exception {
    assertThat(ask("select p.mate.profile['a'][0][1] from Person p where p.id = 2"))
        .containsExactly("y");
    assertThat(
            ask(
                "select m.profile['name'] from Person p join p.mate m on m.profile['name'] = 'Ann'"))
        .containsExactly("Ann");
  }

  @Test
  void attributeWithoutAlias_isFound() throws Exception {
    assertThat(ask("select profile['name'] from Person where id = 1")).containsExactly("Ann");
  }

  @Test
  void nestedQuery_seesTheOuterAlias() throws Exception {
    assertThat(
            ask(
                "select p.profile['name'] from Person p where exists"
                    + " (select 1 from Person q where q.mate.profile['name'] = p.profile['name'])"))
        .containsExactly("Ann");
    assertThat(
            ask("select q.n from (select p.profile['name'] as n from Person p where p.id = 1) q"))
        .containsExactly("Ann");
  }

  @Test
  void pathInBrackets_isAStep() throws Exception {
    assertThat(ask("select p.profile['a'][0][p.nicknames['roles']] from Person p where p.id = 1"))
        .containsOnlyNulls();
  }

  @Test
  void mapAttribute_isNotRewritten() throws Exception {
    assertThat(ask("select p.nicknames['roles'] from Person p where p.id = 1"))
        .containsExactly("A");
  }

  @Test
  void updateAndDelete_acceptPaths() throws Exception {
    orm.inTransaction(
        s -> {
          s.persist(new Person(9));
          s.flush();
          assertThat(
                  s.createMutationQuery(
                          "delete from Person p where p.profile['name'] is null and p.id = 9")
                      .executeUpdate())
              .isEqualTo(1);
        });
  }

  @Test
  void attributeThatIsNotADocument_isRefusedWithHibernatesMessage() {
    assertThatThrownBy(() -> ask("select p.nicknames['a'][0] from Person p"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageNotContaining("pgtoaster");
    assertThatThrownBy(() -> ask("select p.profile['a' from Person p"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("p.profile['a' from Person p");
    assertThatThrownBy(() -> ask("select p.profile.name from Person p"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void applicationsOwnTranslator_isKept() throws Exception {
    try (Orm other =
        Orm.on(orm.database())
            .entities(Person.class)
            .set("hibernate.hbm2ddl.auto", "none")
            .set("hibernate.query.hql.translator", OwnTranslator.class.getName())
            .set("hibernate.query.startup_check", false)
            .build()) {
      assertThatThrownBy(() -> other.inTransaction(s -> s.createQuery("from Person", Person.class)))
          .hasStackTraceContaining("the application's translator");
    }
  }
}
