package io.pgtoaster.spring.data;

import io.pgtoaster.hibernate.jsonb.KeyedJson;
import java.util.Optional;
import java.util.function.Consumer;
import org.springframework.transaction.annotation.Transactional;

/**
 * What a repository of Spring Data JPA can do with attributes of type {@link KeyedJson}, if its
 * interface extends this one. Nothing has to be configured.
 *
 * <p>Methods join the transaction of their caller, or are one of their own. They throw {@link
 * org.springframework.orm.jpa.JpaObjectRetrievalFailureException} where there is no entity with the
 * id, and {@link org.springframework.dao.InvalidDataAccessApiUsageException} where it has no such
 * attribute. For any threads.
 *
 * @param <ID> type of the entity's id
 */
public interface DocumentRepository<ID> {
  /**
   * Reads what is at a path, and not the rest of the document.
   *
   * @param id of the entity
   * @param attribute name of the attribute
   * @param path such as {@code roles[5].title} or {@code /roles/5/title}
   * @param type to read it as
   * @param <V> the type
   * @return the value; empty if there is nothing at the path, or the attribute is null
   */
  @Transactional(readOnly = true)
  <V> Optional<V> find(ID id, String attribute, String path, Class<V> type);

  /**
   * Changes a document; what is changed by path is written by path, at the end of the transaction
   * at the latest.
   *
   * @param id of the entity
   * @param attribute name of the attribute
   * @param changes calls methods of the document such as {@link KeyedJson#set}
   * @throws org.springframework.dao.InvalidDataAccessApiUsageException if the attribute is null
   */
  @Transactional
  void patch(ID id, String attribute, Consumer<? super KeyedJson<?>> changes);
}
