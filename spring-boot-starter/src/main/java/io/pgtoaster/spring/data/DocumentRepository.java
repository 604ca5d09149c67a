package io.pgtoaster.spring.data;

import io.pgtoaster.hibernate.jsonb.KeyedJson;
import java.util.Optional;
import java.util.function.Consumer;
import org.springframework.transaction.annotation.Transactional;

/**
 * Adds methods for attributes of type {@link KeyedJson} to a Spring Data JPA repository. Extend
 * this interface in the repository interface; no configuration is needed.
 *
 * <p>Methods join the caller's transaction, or run in a new one. They throw {@link
 * org.springframework.orm.jpa.JpaObjectRetrievalFailureException} if no entity has the id, and
 * {@link org.springframework.dao.InvalidDataAccessApiUsageException} if the entity has no such
 * attribute. Thread-safe.
 *
 * @param <ID> type of the entity's id
 */
public interface DocumentRepository<ID> {
  /**
   * Reads the value at a path, without the rest of the document.
   *
   * @param id of the entity
   * @param attribute name of the attribute
   * @param path such as {@code roles[5].title} or {@code /roles/5/title}
   * @param type class to which the value is converted
   * @param <V> the type
   * @return the value; empty if there is nothing at the path, or the attribute is null
   */
  @Transactional(readOnly = true)
  <V> Optional<V> find(ID id, String attribute, String path, Class<V> type);

  /**
   * Changes a document. Changes by path are written by path, at the latest at the end of the
   * transaction.
   *
   * @param id of the entity
   * @param attribute name of the attribute
   * @param changes calls methods of the document such as {@link KeyedJson#set}
   * @throws org.springframework.dao.InvalidDataAccessApiUsageException if the attribute is null
   */
  @Transactional
  void patch(ID id, String attribute, Consumer<? super KeyedJson<?>> changes);
}
