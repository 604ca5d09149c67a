package io.pgtoaster.it.hibernate.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.hibernate.jsonb.KeyedColumn;
import io.pgtoaster.hibernate.jsonb.KeyedJson;
import io.pgtoaster.hibernate.query.DocumentExpressions;
import io.pgtoaster.it.hibernate.kit.Orm;
import io.pgtoaster.it.kit.Setting;
import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Inheritance;
import jakarta.persistence.InheritanceType;
import jakarta.persistence.PrimaryKeyJoinColumn;
import jakarta.persistence.Table;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Queries use the search indexes of the mapping. */
@ParameterizedClass
@MethodSource("io.pgtoaster.it.kit.Setting#newestByBoth")
@TestInstance(Lifecycle.PER_CLASS)
class SearchQueryIT {
  /** An entity with both indexes on its columns, and with names that need quotes. */
  @Entity(name = "Product")
  @Table(name = "`Pro duct`")
  static class Product {
    @EmbeddedId Code code;

    @KeyedColumn(containmentIndex = true, textIndex = "english", rowBudget = 512, leafSize = 2048)
    @Column(name = "`Do'c`")
    KeyedJson<Object> doc;
  }

  @Embeddable
  record Code(@Column(name = "`Shop`") int shop, long number) {}

  /** A document that a subclass inherits, and a document in a table with another key column. */
  @Entity(name = "Item")
  @Inheritance(strategy = InheritanceType.JOINED)
  static class Item {
    @Id long id;

    @KeyedColumn(containmentIndex = true)
    KeyedJson<Object> doc;
  }

  @Entity(name = "Book")
  @PrimaryKeyJoinColumn(name = "book_id")
  static class Book extends Item {
    @KeyedColumn(textIndex = "simple")
    KeyedJson<Object> review;
  }

  @Entity(name = "Plain")
  static class Plain {
    @Id long id;
    KeyedJson<Object> doc;
  }

  @Parameter Setting setting;

  private Orm orm;

  @BeforeParameterizedClassInvocation
  void start() throws Exception {
    orm = Orm.on(setting).entities(Product.class, Item.class, Book.class, Plain.class).build();
    orm.inTransaction(
        s -> {
          for (int i = 1; i <= 3; i++) {
            Product product = new Product();
            product.code = new Code(i % 2, i);
            product.doc = i == 3 ? null : document(i);
            s.persist(product);
          }
          Book book = new Book();
          book.id = 7;
          book.doc = document(7);
          book.review = document(8);
          s.persist(book);
          Plain plain = new Plain();
          plain.id = 1;
          plain.doc = document(1);
          s.persist(plain);
        });
  }

  private static KeyedJson<Object> document(int i) {
    return KeyedJson.of(
        Map.of(
            "variants",
            IntStream.range(0, 200).mapToObj(n -> Map.of("sku", "S" + i + "-" + n)).toList(),
            "text",
            "number " + i + " is a wonderful gift"));
  }

  @AfterParameterizedClassInvocation
  void stop() throws Exception {
    orm.close();
  }

  @BeforeEach
  void clear() {
    orm.recorder().clear();
  }

  private <T> List<T> ask(String hql, Class<T> type) throws Exception {
    return orm.fromTransaction(s -> s.createSelectionQuery(hql, type).getResultList());
  }

  @Test
  void contains_usesTheIndexOfTheMapping() throws Exception {
    assertThat(
            ask(
                "select p.code.number from Product p"
                    + " where keyed_contains(p.doc, '{\"variants\": [{\"sku\": \"S2-150\"}]}')",
                Long.class))
        .containsExactly(2L);
    assertThat(orm.sql().get(0)).contains("in (select s.\"Shop\",s.number from pgtoaster.search(");
    assertThat(
            ask(
                "select i.id from Item i where keyed_contains(i.doc, '{\"variants\": [{\"sku\": \"S7-1\"}]}')",
                Long.class))
        .containsExactly(7L);
    assertThat(
            ask(
                "select b.id from Book b where keyed_contains(b.doc, '{\"variants\": [{\"sku\": \"S7-1\"}]}')"
                    + " and keyed_matches(b.review, 'wonderful 8')",
                Long.class))
        .containsExactly(7L);
  }

  @Test
  void contains_isFalseForANullDocument() throws Exception {
    assertThat(
            ask(
                "select p.code.number from Product p"
                    + " where not keyed_contains(p.doc, '{\"text\": \"none\"}') order by 1",
                Long.class))
        .containsExactly(1L, 2L, 3L);
  }

  @Test
  void matches_findsWords() throws Exception {
    assertThat(
            ask(
                "select p.code.number from Product p where keyed_matches(p.doc, '\"wonderful gift\" -1')",
                Long.class))
        .containsExactly(2L);
    int changed =
        orm.fromTransaction(
            s ->
                s.createMutationQuery(
                        "update Product p set p.doc['seen'] = true"
                            + " where keyed_matches(p.doc, :words)")
                    .setParameter("words", "gift OR nothing")
                    .executeUpdate());
    assertThat(changed).isEqualTo(2);
  }

  @Test
  void criteria_canSearch() throws Exception {
    List<Product> found =
        orm.fromTransaction(
            s -> {
              var builder = s.getCriteriaBuilder();
              var query = builder.createQuery(Product.class);
              var product = query.from(Product.class);
              query.where(
                  DocumentExpressions.matches(product.get("doc"), "wonderful"),
                  DocumentExpressions.contains(
                      product.get("doc"), Map.of("variants", List.of(Map.of("sku", "S1-3")))));
              return s.createQuery(query).getResultList();
            });
    assertThat(found).extracting(p -> p.code.number()).containsExactly(1L);
  }

  @Test
  void schema_hasTheIndexes() throws Exception {
    assertThat(
            orm.database()
                .strings(
                    "SELECT kind || ' ' || complete FROM pgtoaster.indexes()"
                        + " WHERE owner = '\"Pro duct\"'::regclass"))
        .containsExactlyInAnyOrder("containment true", "text true");
  }

  @Test
  void unsearchableAttributes_areRejected() {
    assertThatThrownBy(
            () -> ask("select p.id from Plain p where keyed_matches(p.doc, 'gift')", Long.class))
        .hasStackTraceContaining("column \"doc\" of public.plain has no text index");
    assertThatThrownBy(
            () ->
                ask(
                    "select p.id from Plain p"
                        + " where keyed_matches(keyed_remove(p.doc, 'text'), 'gift')",
                    Long.class))
        .hasMessageContaining("keyed_matches() searches an attribute");
  }
}
