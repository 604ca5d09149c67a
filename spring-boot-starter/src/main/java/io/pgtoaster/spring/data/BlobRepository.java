package io.pgtoaster.spring.data;

import io.pgtoaster.blob.AppendResult;
import io.pgtoaster.hibernate.blob.AppendableBlob;
import java.io.InputStream;
import java.io.OutputStream;
import org.springframework.transaction.annotation.Transactional;

/**
 * What a repository of Spring Data JPA can do with attributes of type {@link AppendableBlob}, if
 * its interface extends this one. Nothing has to be configured.
 *
 * <p>Methods join the transaction of their caller, or are one of their own. They throw {@link
 * org.springframework.orm.jpa.JpaObjectRetrievalFailureException} where there is no entity with the
 * id, and {@link org.springframework.dao.InvalidDataAccessApiUsageException} where it has no such
 * attribute. For any threads.
 *
 * @param <ID> type of the entity's id
 */
public interface BlobRepository<ID> {
  /**
   * Appends; an attribute that is null becomes a blob.
   *
   * @param id of the entity
   * @param attribute name of the attribute
   * @param bytes to append
   * @return where they are
   */
  @Transactional
  AppendResult append(ID id, String attribute, byte[] bytes);

  /**
   * Appends all of a stream at once, in bounded memory; an attribute that is null becomes a blob.
   *
   * @param id of the entity
   * @param attribute name of the attribute
   * @param in read to its end, not closed
   * @return where the bytes are
   * @throws java.io.UncheckedIOException if the stream fails; nothing is appended then
   */
  @Transactional
  AppendResult append(ID id, String attribute, InputStream in);

  /**
   * Reads a range.
   *
   * @param id of the entity
   * @param attribute name of the attribute
   * @param offset of the first byte
   * @param length number of bytes wanted
   * @return the bytes, fewer only at the end; none if the attribute is null
   * @throws io.pgtoaster.error.InvalidOffsetException if the offset is beyond the end
   */
  @Transactional(readOnly = true)
  byte[] read(ID id, String attribute, long offset, int length);

  /**
   * Copies the content, in bounded memory.
   *
   * @param id of the entity
   * @param attribute name of the attribute
   * @param out takes the content; not closed
   * @return number of bytes; 0 if the attribute is null
   * @throws java.io.UncheckedIOException if a stream fails
   */
  @Transactional(readOnly = true)
  long read(ID id, String attribute, OutputStream out);
}
