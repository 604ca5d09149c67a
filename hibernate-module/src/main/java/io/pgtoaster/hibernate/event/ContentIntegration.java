package io.pgtoaster.hibernate.event;

import io.pgtoaster.PgToaster;
import io.pgtoaster.column.ColumnName;
import io.pgtoaster.hibernate.internal.ContentAttribute;
import io.pgtoaster.hibernate.internal.ContentKind;
import io.pgtoaster.hibernate.internal.ContentMapping;
import io.pgtoaster.hibernate.internal.Contents;
import io.pgtoaster.hibernate.internal.Names;
import java.lang.reflect.AnnotatedElement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.hibernate.SessionFactory;
import org.hibernate.SessionFactoryObserver;
import org.hibernate.boot.Metadata;
import org.hibernate.boot.model.naming.Identifier;
import org.hibernate.boot.model.relational.SqlStringGenerationContext;
import org.hibernate.engine.OptimisticLockStyle;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.event.service.spi.EventListenerRegistry;
import org.hibernate.event.spi.EventType;
import org.hibernate.mapping.BasicValue;
import org.hibernate.mapping.Column;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.Property;
import org.hibernate.mapping.Table;
import org.hibernate.mapping.UnionSubclass;
import org.jspecify.annotations.Nullable;

/**
 * Finds the attributes with content when a session factory is built, and registers listeners for
 * them.
 */
public final class ContentIntegration {
  private final List<ContentMapping> mappings;

  /** Creates an integration. The first mapping that recognises an attribute handles it. */
  public ContentIntegration(List<ContentMapping> mappings) {
    this.mappings = List.copyOf(mappings);
  }

  /**
   * Prepares a factory that is being built. Makes content columns non-updatable for Hibernate.
   *
   * @param pgToaster applies the factory's settings to a plain entry point
   */
  public void integrate(
      Metadata metadata, SessionFactoryImplementor factory, UnaryOperator<PgToaster> pgToaster) {
    Map<String, List<ContentAttribute>> byEntity =
        attributes(metadata, factory.getSqlStringGenerationContext());
    byEntity.forEach(
        (entity, attributes) -> leaveToUs(metadata.getEntityBinding(entity), attributes));
    Contents contents = new Contents(byEntity, pgToaster);
    Contents.register(factory, contents);
    if (byEntity.isEmpty()) {
      return;
    }
    factory.addObserver(new Check(contents, factory));
    EventListenerRegistry registry =
        factory.getServiceRegistry().requireService(EventListenerRegistry.class);
    FlushListener flush = new FlushListener(contents);
    UpdateListener.register(registry.getEventListenerGroup(EventType.FLUSH_ENTITY), flush);
    registry.appendListeners(EventType.FLUSH, flush);
    registry.appendListeners(EventType.AUTO_FLUSH, flush);
    registry.appendListeners(EventType.DIRTY_CHECK, flush);
    RowListener rows = new RowListener(contents);
    registry.prependListeners(EventType.POST_LOAD, rows);
    registry.appendListeners(EventType.PRE_INSERT, rows);
    registry.prependListeners(EventType.POST_INSERT, rows);
    registry.prependListeners(EventType.POST_UPDATE, rows);
    registry.appendListeners(EventType.PRE_UPSERT, rows);
    registry.prependListeners(EventType.POST_UPSERT, rows);
  }

  private static void leaveToUs(PersistentClass entity, List<ContentAttribute> attributes) {
    boolean byColumns =
        entity.getOptimisticLockStyle() == OptimisticLockStyle.ALL
            || entity.getOptimisticLockStyle() == OptimisticLockStyle.DIRTY;
    for (ContentAttribute attribute : attributes) {
      Property property = entity.getProperty(attribute.property());
      property.resetUpdateable(false);
      if (byColumns) {
        // The old value is at most part of the content, so an UPDATE that compares it would not
        // match any row.
        property.setOptimisticLocked(false);
      }
    }
  }

  /** Runs when the factory is complete, because the tables do not exist before that. */
  private record Check(Contents contents, SessionFactoryImplementor factory)
      implements SessionFactoryObserver {
    @Override
    public void sessionFactoryCreated(SessionFactory created) {
      contents.check(factory);
    }
  }

  /** Removes the data of a closed factory. */
  public void disintegrate(SessionFactoryImplementor factory) {
    Contents.forget(factory);
  }

  /**
   * Returns the attributes with content by entity name. Subclasses include the attributes of their
   * superclasses.
   */
  public Map<String, List<ContentAttribute>> attributes(
      Metadata metadata, SqlStringGenerationContext names) {
    Map<String, List<ContentAttribute>> byEntity = new HashMap<>();
    for (PersistentClass entity : metadata.getEntityBindings()) {
      List<ContentAttribute> found = new ArrayList<>();
      for (Property property : entity.getPropertyClosure()) {
        ContentAttribute attribute = attribute(names, entity, property);
        if (attribute != null) {
          found.add(attribute);
        }
      }
      if (!found.isEmpty()) {
        byEntity.put(entity.getEntityName(), found);
      }
    }
    return byEntity;
  }

  private @Nullable ContentAttribute attribute(
      SqlStringGenerationContext names, PersistentClass entity, Property property) {
    if (entity.getMappedClass() == null) {
      return null;
    }
    if (!(property.getValue() instanceof BasicValue value)) {
      Refusal.check(
          mappings,
          property.getValue(),
          Members.find(entity.getMappedClass(), property.getName()),
          entity.getEntityName() + "." + property.getName());
      return null;
    }
    AnnotatedElement member = Members.find(entity.getMappedClass(), property.getName());
    Class<?> type = value.resolve().getDomainJavaType().getJavaTypeClass();
    for (ContentMapping mapping : mappings) {
      ContentKind kind = mapping.kind(type, member);
      if (kind != null) {
        return attribute(names, entity, property, kind);
      }
    }
    return null;
  }

  private static ContentAttribute attribute(
      SqlStringGenerationContext names,
      PersistentClass entity,
      Property property,
      ContentKind kind) {
    Table table = table(entity, property);
    Column column = property.getValue().getColumns().get(0);
    Identifier schema = names.schemaWithDefault(table.getSchemaIdentifier());
    return new ContentAttribute(
        entity.getEntityName(),
        property.getName(),
        new ColumnName(
            schema == null ? null : Names.exact(schema),
            Names.exact(table.getNameIdentifier()),
            Names.exact(column.getName(), column.isQuoted())),
        "text".equalsIgnoreCase(column.getSqlType()),
        kind,
        property.isOptimisticLocked());
  }

  /**
   * Returns the table of a property. With a table per class, inherited properties are in each
   * class's table.
   */
  private static Table table(PersistentClass entity, Property property) {
    return entity instanceof UnionSubclass && entity.getJoinNumber(property) == 0
        ? entity.getTable()
        : property.getValue().getTable();
  }
}
