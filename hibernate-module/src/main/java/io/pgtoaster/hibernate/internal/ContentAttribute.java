package io.pgtoaster.hibernate.internal;

import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.column.AttachedColumn;
import io.pgtoaster.jsonb.DocumentColumn;
import java.lang.annotation.Annotation;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.jspecify.annotations.Nullable;

/**
 * An attribute whose content pgtoaster writes.
 *
 * <p>For any threads.
 */
public final class ContentAttribute {
  private final String entityName;
  private final String property;
  private final @Nullable String schema;
  private final String table;
  private final String column;
  private final boolean text;
  private final ContentKind kind;
  private final boolean optimisticLocked;
  private final @Nullable Annotation options;
  // A column is looked up once per tenant: each may have a schema of its own.
  private final Map<Object, BlobColumn> blobs = new ConcurrentHashMap<>();
  private final Map<Object, DocumentColumn> documents = new ConcurrentHashMap<>();
  private final Set<Object> checked = ConcurrentHashMap.newKeySet();

  /**
   * Takes what the mapping says.
   *
   * @param entityName of the entity that has it
   * @param property its name in the entity
   * @param schema of the table; null for the one of the session's search path
   * @param table as PostgreSQL's catalog has it
   * @param column as PostgreSQL's catalog has it
   * @param text whether the attribute has text
   * @param kind blob or document
   * @param optimisticLocked whether a change raises the entity's version
   * @param options annotation of the attribute, or null
   */
  public ContentAttribute(
      String entityName,
      String property,
      @Nullable String schema,
      String table,
      String column,
      boolean text,
      ContentKind kind,
      boolean optimisticLocked,
      @Nullable Annotation options) {
    this.entityName = entityName;
    this.property = property;
    this.schema = schema;
    this.table = table;
    this.column = column;
    this.text = text;
    this.kind = kind;
    this.optimisticLocked = optimisticLocked;
    this.options = options;
  }

  /**
   * Returns the name of the attribute.
   *
   * @return as the entity calls it
   */
  public String property() {
    return property;
  }

  /**
   * Returns the exact name of the table's schema.
   *
   * @return the name, or null for the search path
   */
  public @Nullable String schema() {
    return schema;
  }

  /**
   * Returns the exact name of the table.
   *
   * @return the name
   */
  public String table() {
    return table;
  }

  /**
   * Returns the exact name of the column.
   *
   * @return the name
   */
  public String column() {
    return column;
  }

  /**
   * Tells whether the mapping defines the column as {@code text}.
   *
   * @return true if so
   */
  public boolean text() {
    return text;
  }

  /**
   * Returns how values are written.
   *
   * @return the kind
   */
  public ContentKind kind() {
    return kind;
  }

  /**
   * Tells whether a change counts for optimistic locking.
   *
   * @return false if the mapping excludes the attribute
   */
  public boolean optimisticLocked() {
    return optimisticLocked;
  }

  /**
   * Returns the annotation with the options of the column.
   *
   * @param type of the annotation
   * @param <A> of the annotation
   * @return the annotation, or null if the attribute has none of this type
   */
  public <A extends Annotation> @Nullable A options(Class<A> type) {
    return type.isInstance(options) ? type.cast(options) : null;
  }

  /**
   * Returns the column in the transaction of a session.
   *
   * @param session open
   * @return a handle for the thread of the session
   */
  public BlobColumn blobs(SharedSessionContractImplementor session) {
    return committedBlobs(session).on(SessionConnections.current(session));
  }

  /**
   * Returns the column in the transaction of a session, without executing what Hibernate has put
   * into a batch: for what needs none of those rows.
   *
   * @param session open
   * @return a handle for the thread of the session
   */
  public BlobColumn blobsBesideBatch(SharedSessionContractImplementor session) {
    return committedBlobs(session).on(SessionConnections.beside(session));
  }

  /**
   * Returns the column for calls that each take a connection and a transaction of their own.
   *
   * @param session open
   * @return a handle that sees what is committed
   */
  public BlobColumn committedBlobs(SharedSessionContractImplementor session) {
    return blobs.computeIfAbsent(
        tenant(session),
        t -> {
          PgToaster pgToaster = Contents.open(session);
          return schema == null
              ? pgToaster.blobs(table, column)
              : pgToaster.blobs(schema, table, column);
        });
  }

  /**
   * Returns the column in the transaction of a session.
   *
   * @param session open
   * @return a handle for the thread of the session
   */
  public DocumentColumn documents(SharedSessionContractImplementor session) {
    Object tenant = tenant(session);
    DocumentColumn known = documents.computeIfAbsent(tenant, t -> open(Contents.open(session)));
    DocumentColumn here = known.on(SessionConnections.current(session));
    if (!checked.contains(tenant)) {
      kind.check(this, here::describe);
      checked.add(tenant);
    }
    return here;
  }

  private DocumentColumn open(PgToaster pgToaster) {
    return schema == null
        ? pgToaster.documents(table, column)
        : pgToaster.documents(schema, table, column);
  }

  /** Refuses a column that does not fit, unless it cannot be looked up now. */
  void check(PgToaster pgToaster) {
    kind.check(this, () -> lookUp(pgToaster));
  }

  private @Nullable AttachedColumn lookUp(PgToaster pgToaster) {
    try {
      return open(pgToaster).describe();
    } catch (RuntimeException e) {
      // No table, or no connection, which is for others to say; its first use checks it.
      return null;
    }
  }

  /**
   * Tells whether this is the same column as that of another attribute, as those of an entity and
   * its subclasses are.
   *
   * @param other attribute
   * @return true if so
   */
  public boolean sameColumn(ContentAttribute other) {
    return Objects.equals(schema, other.schema)
        && table.equals(other.table)
        && column.equals(other.column);
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
