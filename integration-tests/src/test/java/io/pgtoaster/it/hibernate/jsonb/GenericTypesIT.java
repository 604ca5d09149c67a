package io.pgtoaster.it.hibernate.jsonb;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.pgtoaster.hibernate.jsonb.KeyedColumn;
import io.pgtoaster.hibernate.jsonb.KeyedJson;
import io.pgtoaster.it.hibernate.kit.Orm;
import io.pgtoaster.it.hibernate.kit.OrmBuilder;
import io.pgtoaster.it.kit.Setting;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.type.TypeReference;

/** Type information of elements is written according to the declared type. */
class GenericTypesIT {
  @AutoClose private Orm orm;

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
  @JsonSubTypes({@JsonSubTypes.Type(Circle.class), @JsonSubTypes.Type(Square.class)})
  sealed interface Shape permits Circle, Square {}

  record Circle(int radius) implements Shape {}

  record Square(int side) implements Shape {}

  static class Box<T> {
    public T content;

    @Override
    public boolean equals(Object other) {
      return other instanceof Box<?> box && content.equals(box.content);
    }

    @Override
    public int hashCode() {
      return content.hashCode();
    }
  }

  /** A box with an additional member. */
  static class Labelled<T> extends Box<T> {
    public String label = "mine";
  }

  @Entity(name = "Drawing")
  static class Drawing {
    @Id long id = 1;
    @KeyedColumn List<Shape> list = SHAPES;
    @KeyedColumn Map<String, Shape> map = Map.of("a", new Circle(1), "b", new Square(2));
    @KeyedColumn Box<Shape> box = box(new Box<>());
    KeyedJson<List<Shape>> keyed = KeyedJson.of(SHAPES);
    KeyedJson<Box<Map<String, Shape>>> nested = KeyedJson.of(nested());

    @JdbcTypeCode(SqlTypes.JSON)
    List<Shape> plain = SHAPES;
  }

  private static final List<Shape> SHAPES = List.of(new Circle(1), new Square(2));

  private static Box<Shape> box(Box<Shape> box) {
    box.content = new Square(3);
    return box;
  }

  private static Box<Map<String, Shape>> nested() {
    Box<Map<String, Shape>> box = new Box<>();
    box.content = Map.of("x", new Square(4));
    return box;
  }

  private void start(boolean hibernate) throws Exception {
    OrmBuilder builder = Orm.on(Setting.newest().get(0)).entities(Drawing.class);
    if (hibernate) {
      builder.jackson3();
    }
    orm = builder.build();
    orm.inTransaction(s -> s.persist(new Drawing()));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void elementsOfADeclaredType_areLoadedAsTheirClasses(boolean hibernate) throws Exception {
    start(hibernate);
    orm.inTransaction(
        s -> {
          Drawing drawing = s.find(Drawing.class, 1L);
          assertThat(drawing.plain).isEqualTo(SHAPES);
          assertThat(drawing.list).isEqualTo(SHAPES);
          assertThat(drawing.map).isEqualTo(new Drawing().map);
          assertThat(drawing.box).isEqualTo(new Drawing().box);
          assertThat(drawing.keyed.load()).isEqualTo(SHAPES);
          assertThat(drawing.nested.load()).isEqualTo(nested());
          orm.statements();
          s.flush();
          assertThat(orm.sql()).as("nothing has changed").isEmpty();
          drawing.list = new ArrayList<>(SHAPES);
          drawing.list.add(new Circle(5));
          drawing.box.content = new Circle(6);
          drawing.keyed.put(List.of(new Circle(7)));
        });
    orm.inTransaction(
        s -> {
          Drawing drawing = s.find(Drawing.class, 1L);
          assertThat(drawing.list).containsExactly(new Circle(1), new Square(2), new Circle(5));
          assertThat(drawing.box.content).isEqualTo(new Circle(6));
          assertThat(drawing.keyed.load()).containsExactly(new Circle(7));
        });
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void mergedAndRequestedElements_keepTheirTypes(boolean hibernate) throws Exception {
    start(hibernate);
    Drawing detached = orm.fromTransaction(s -> s.find(Drawing.class, 1L));
    detached.list = List.of(new Square(8));
    detached.map = Map.of("c", new Circle(8));
    detached.box.content = new Circle(8);
    detached.keyed = KeyedJson.of(List.of(new Square(8)));
    orm.inTransaction(s -> assertThat(s.merge(detached).list).containsExactly(new Square(8)));
    orm.inTransaction(
        s -> {
          Drawing drawing = s.find(Drawing.class, 1L);
          assertThat(drawing.list).containsExactly(new Square(8));
          assertThat(drawing.map).isEqualTo(Map.of("c", new Circle(8)));
          assertThat(drawing.box.content).isEqualTo(new Circle(8));
          assertThat(drawing.keyed.load()).containsExactly(new Square(8));
          for (String attribute : List.of("list", "keyed")) {
            Object wanted =
                attribute.equals("list")
                    ? List.of(new Square(8))
                    : KeyedJson.of(List.of(new Square(8)));
            assertThat(
                    s.createQuery(
                            "select d.id from Drawing d where d." + attribute + " = :l", Long.class)
                        .setParameter("l", wanted)
                        .getResultList())
                .as(attribute)
                .containsExactly(1L);
          }
        });
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void newDocument_ofANamedType_keepsTheTypeAfterChanges(boolean hibernate) throws Exception {
    start(hibernate);
    orm.inTransaction(
        s -> {
          Drawing drawing = new Drawing();
          drawing.id = 2;
          drawing.keyed = KeyedJson.of(SHAPES, new TypeReference<>() {});
          drawing.keyed.remove("[0]");
          s.persist(drawing);
        });
    orm.inTransaction(
        s -> assertThat(s.find(Drawing.class, 2L).keyed.load()).containsExactly(new Square(2)));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false})
  void subclassOfADeclaredType_keepsItsMembers(boolean hibernate) throws Exception {
    start(hibernate);
    orm.inTransaction(s -> s.find(Drawing.class, 1L).box = box(new Labelled<>()));
    assertThat(orm.database().strings("SELECT box FROM drawing"))
        .containsExactly(
            "{\"label\": \"mine\", \"content\": {\"side\": 3, \"@type\":"
                + " \"GenericTypesIT$Square\"}}");
  }
}
