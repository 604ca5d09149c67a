package io.pgtoaster.hibernate.internal;

import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.column.ColumnName;
import io.pgtoaster.internal.column.ColumnAccess;
import io.pgtoaster.jsonb.DocumentColumn;
import io.pgtoaster.spi.AttachedColumn;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.jspecify.annotations.Nullable;

/**
 * An attribute whose content pgtoaster writes.
 *
 * <p>Thread-safe.
 */
public final class ContentAttribute {
  private final String entityName;
  private final String property;
  private final ColumnName column;
  private final boolean text;
  private final ContentKind kind;
  private final boolean optimisticLocked;
  // A column is looked up once per tenant, because each tenant may have its own schema.
  private final Map<Object, BlobColumn> blobs = new ConcurrentHashMap<>();
  private final Map<Object, DocumentColumn> documents = new ConcurrentHashMap<>();
  private final Set<Object> checked = ConcurrentHashMap.newKeySet();

  /**
   * Creates an attribute from its mapping.
   *
   * @param column without a schema to use the session's search path
   * @param text whether the mapping defines the column as {@code text}
   * @param optimisticLocked whether a change increments the entity's version
   */
  public ContentAttribute(
      String entityName,
      String property,
      ColumnName column,
      boolean text,
      ContentKind kind,
      boolean optimisticLocked) {
    this.entityName = entityName;
    this.property = property;
    this.column = column;
    this.text = text;
    this.kind = kind;
    this.optimisticLocked = optimisticLocked;
  }

  public String property() {
    return property;
  }

  /** Returns the name of the column; without a schema to use the session's search path. */
  public ColumnName column() {
    return column;
  }

  public boolean text() {
    return text;
  }

  public ContentKind kind() {
    return kind;
  }

  public boolean optimisticLocked() {
    return optimisticLocked;
  }

  /**
   * Returns the column in the transaction of a session. First executes the statements in
   * Hibernate's batch, so that later statements see their rows.
   */
  public BlobColumn blobs(SharedSessionContractImplementor session) {
    session.getJdbcCoordinator().executeBatch();
    return blobsOutsideBatch(session);
  }

  /**
   * Returns the column in the transaction of a session, without executing the batch. Use it for
   * operations that need none of the rows in the batch.
   */
  public BlobColumn blobsOutsideBatch(SharedSessionContractImplementor session) {
    return committedBlobs(session).on(Contents.connection(session));
  }

  /**
   * Returns the column for calls that each use their own connection and transaction, so they see
   * committed data.
   */
  public BlobColumn committedBlobs(SharedSessionContractImplementor session) {
    return blobs.computeIfAbsent(tenant(session), t -> Contents.open(session).blobs(column));
  }

  /** Returns the column in the transaction of a session. */
  public DocumentColumn documents(SharedSessionContractImplementor session) {
    Object tenant = tenant(session);
    session.getJdbcCoordinator().executeBatch();
    DocumentColumn known =
        documents.computeIfAbsent(tenant, t -> Contents.open(session).documents(column));
    DocumentColumn here = known.on(Contents.connection(session));
    if (!checked.contains(tenant)) {
      kind.check(this, () -> ColumnAccess.column(here));
      checked.add(tenant);
    }
    return here;
  }

  /** Rejects a column that does not fit the mapping, unless it cannot be looked up now. */
  void check(PgToaster pgToaster) {
    kind.check(this, () -> lookUp(pgToaster));
  }

  private @Nullable AttachedColumn lookUp(PgToaster pgToaster) {
    try {
      return ColumnAccess.column(pgToaster.documents(column));
    } catch (RuntimeException e) {
      // The table or the connection is missing. Other code reports that, and the first use checks
      // the column.
      return null;
    }
  }

  /**
   * Returns whether another attribute has the same column, as the attributes of an entity and its
   * subclasses do.
   */
  public boolean sameColumn(ContentAttribute other) {
    return column.equals(other.column);
  }

  private static Object tenant(SharedSessionContractImplementor session) {
    Object tenant = session.getTenantIdentifierValue();
    return tenant == null ? "" : tenant;
  }

  @Override
  public String toString() {
    return entityName + "." + property;
  }
}
