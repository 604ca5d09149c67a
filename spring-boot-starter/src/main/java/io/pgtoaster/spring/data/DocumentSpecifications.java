package io.pgtoaster.spring.data;

import io.pgtoaster.hibernate.query.DocumentExpressions;
import org.springframework.data.jpa.domain.Specification;

/**
 * Specifications over paths of documents, for repositories that extend {@link
 * org.springframework.data.jpa.repository.JpaSpecificationExecutor}: {@code
 * meetings.findAll(hasValue("notes", "people[0].name", "Ann"))}. For other conditions, write a
 * specification with {@link DocumentExpressions}. Stateless.
 */
public final class DocumentSpecifications {
  private DocumentSpecifications() {}

  /**
   * Returns a condition that is true for entities whose document has a value at a path.
   *
   * @param attribute name of the document attribute
   * @param path such as {@code roles[0].title} or {@code /roles/0/title}
   * @param value compared by its type, which must be one that {@link DocumentExpressions#get}
   *     accepts; other types are rejected when the condition is used
   * @param <T> the entity
   * @return the condition
   */
  public static <T> Specification<T> hasValue(String attribute, String path, Object value) {
    return (root, query, builder) ->
        builder.equal(DocumentExpressions.get(root.get(attribute), path, value.getClass()), value);
  }

  /**
   * Returns a condition that is true for entities whose document has any value at a path, including
   * a JSON null.
   *
   * @param attribute name of the document attribute
   * @param path such as {@code roles[0]}
   * @param <T> the entity
   * @return the condition
   */
  public static <T> Specification<T> hasPath(String attribute, String path) {
    return (root, query, builder) -> DocumentExpressions.exists(root.get(attribute), path);
  }

  /**
   * Returns a condition that is true for entities whose document contains another document.
   *
   * @param attribute name of the document attribute
   * @param part a value of any class that is mapped to JSON, such as {@code Map.of("topic", "x")}
   * @param <T> the entity
   * @return the condition
   */
  public static <T> Specification<T> contains(String attribute, Object part) {
    return (root, query, builder) -> DocumentExpressions.contains(root.get(attribute), part);
  }

  /**
   * Returns a condition that is true for entities whose document contains words. The column needs a
   * text index, such as {@link io.pgtoaster.hibernate.jsonb.KeyedColumn#textIndex} creates.
   *
   * @param attribute name of the document attribute
   * @param words as {@code websearch_to_tsquery} reads them: all words, {@code "a phrase"}, {@code
   *     or}, {@code -not}
   * @param <T> the entity
   * @return the condition
   */
  public static <T> Specification<T> matches(String attribute, String words) {
    return (root, query, builder) -> DocumentExpressions.matches(root.get(attribute), words);
  }
}
