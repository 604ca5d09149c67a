package io.pgtoaster.spring.data;

import io.pgtoaster.hibernate.query.DocumentExpressions;
import org.springframework.data.jpa.domain.Specification;

/**
 * Specifications over paths of documents, for repositories that extend {@link
 * org.springframework.data.jpa.repository.JpaSpecificationExecutor}: {@code
 * meetings.findAll(hasValue("notes", "people[0].name", "Ann"))}. For other conditions write one
 * with {@link DocumentExpressions}. Stateless.
 */
public final class DocumentSpecifications {
  private DocumentSpecifications() {}

  /**
   * Entities in whose document a value is at a path.
   *
   * @param attribute name of the attribute that is a document
   * @param path such as {@code roles[0].title} or {@code /roles/0/title}
   * @param value of a type that {@link DocumentExpressions#get} takes, by which it is compared;
   *     another is refused when the condition is used
   * @param <T> the entity
   * @return the condition
   */
  public static <T> Specification<T> hasValue(String attribute, String path, Object value) {
    return (root, query, builder) ->
        builder.equal(DocumentExpressions.get(root.get(attribute), path, value.getClass()), value);
  }

  /**
   * Entities in whose document something is at a path, be it a JSON null.
   *
   * @param attribute name of the attribute that is a document
   * @param path such as {@code roles[0]}
   * @param <T> the entity
   * @return the condition
   */
  public static <T> Specification<T> hasPath(String attribute, String path) {
    return (root, query, builder) -> DocumentExpressions.exists(root.get(attribute), path);
  }

  /**
   * Entities whose document contains another.
   *
   * @param attribute name of the attribute that is a document
   * @param part of any class that is mapped as JSON, such as {@code Map.of("topic", "x")}
   * @param <T> the entity
   * @return the condition
   */
  public static <T> Specification<T> contains(String attribute, Object part) {
    return (root, query, builder) -> DocumentExpressions.contains(root.get(attribute), part);
  }
}
