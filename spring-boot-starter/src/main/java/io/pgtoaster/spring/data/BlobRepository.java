package io.pgtoaster.spring.data;

import io.pgtoaster.column.AppendResult;
import io.pgtoaster.hibernate.blob.AppendableBlob;
import java.io.InputStream;
import java.io.OutputStream;
import org.springframework.transaction.annotation.Transactional;

/**
 * Adds methods for attributes of type {@link AppendableBlob} to a Spring Data JPA repository.
 * Extend this interface in the repository interface; no configuration is needed.
 *
 * <p>Methods join the caller's transaction, or run in a new one. They throw {@link
 * org.springframework.orm.jpa.JpaObjectRetrievalFailureException} if no entity has the id, and
 * {@link org.springframework.dao.InvalidDataAccessApiUsageException} if the entity has no such
 * attribute. Thread-safe.
 *
 * @param <ID> type of the entity's id
 */
public interface BlobRepository<ID> {
  /**
   * Appends bytes. If the attribute is null, creates the blob.
   *
   * @param id of the entity
   * @param attribute name of the attribute
   * @param bytes to append
   * @return the position of the bytes
   */
  @Transactional
  AppendResult append(ID id, String attribute, byte[] bytes);

  /**
   * Appends a whole stream at once, in bounded memory. If the attribute is null, creates the blob.
   *
   * @param id of the entity
   * @param attribute name of the attribute
   * @param in read to its end, not closed
   * @return the position of the bytes
   * @throws java.io.UncheckedIOException if the stream fails; nothing is appended
   */
  @Transactional
  AppendResult append(ID id, String attribute, InputStream in);

  /**
   * Reads a range.
   *
   * @param id of the entity
   * @param attribute name of the attribute
   * @param offset offset of the first byte
   * @param length number of bytes requested
   * @return the bytes; fewer than requested only at the end; empty if the attribute is null
   * @throws io.pgtoaster.error.InvalidOffsetException if the offset is beyond the end
   */
  @Transactional(readOnly = true)
  byte[] read(ID id, String attribute, long offset, int length);

  /**
   * Copies the content to a stream, in bounded memory.
   *
   * @param id of the entity
   * @param attribute name of the attribute
   * @param out receives the content; not closed
   * @return number of bytes; 0 if the attribute is null
   * @throws java.io.UncheckedIOException if a stream fails
   */
  @Transactional(readOnly = true)
  long read(ID id, String attribute, OutputStream out);
}
