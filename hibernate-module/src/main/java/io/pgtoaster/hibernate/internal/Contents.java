package io.pgtoaster.hibernate.internal;

import io.pgtoaster.PgToaster;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.hibernate.boot.spi.SessionFactoryOptions;
import org.hibernate.bytecode.enhance.spi.LazyPropertyInitializer;
import org.hibernate.cfg.JdbcSettings;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.internal.util.config.ConfigurationHelper;
import org.hibernate.persister.entity.EntityPersister;
import org.jspecify.annotations.Nullable;

/**
 * The attributes with content of one session factory.
 *
 * <p>Thread-safe.
 */
public final class Contents {
  private static final Map<SessionFactoryImplementor, Contents> BY_FACTORY =
      Collections.synchronizedMap(new WeakHashMap<>());

  private final Map<String, List<ContentAttribute>> byEntity;
  private final UnaryOperator<PgToaster> pgToaster;
  private final Map<EntityPersister, Slot[]> slots = new ConcurrentHashMap<>();

  /**
   * An attribute and its position in the state of an entity.
   *
   * @param attribute attribute of the entity
   * @param index index in the arrays of the entity's state
   */
  public record Slot(ContentAttribute attribute, int index) {
    /**
     * Returns the current value of the attribute.
     *
     * @param persister persister of the entity
     * @param entity the entity
     * @return the value; {@link LazyPropertyInitializer#UNFETCHED_PROPERTY} if it is not loaded
     */
    public @Nullable Object value(EntityPersister persister, Object entity) {
      return persister
              .getBytecodeEnhancementMetadata()
              .isAttributeLoaded(entity, attribute.property())
          ? persister.getValue(entity, index)
          : LazyPropertyInitializer.UNFETCHED_PROPERTY;
    }
  }

  /**
   * Creates the set of attributes of a factory.
   *
   * @param byEntity attributes by entity name
   * @param pgToaster applies the factory's settings to a plain entry point
   */
  public Contents(
      Map<String, List<ContentAttribute>> byEntity, UnaryOperator<PgToaster> pgToaster) {
    this.byEntity = Map.copyOf(byEntity);
    this.pgToaster = pgToaster;
  }

  /**
   * Returns an entry point to the database of a session, on connections other than the session's.
   */
  static PgToaster open(SharedSessionContractImplementor session) {
    return of(session.getFactory())
        .pgToaster
        .apply(PgToaster.create(new FactoryConnections(session)));
  }

  /**
   * Rejects columns that do not fit the mapping, when a factory without tenants is complete and may
   * connect at that time. Otherwise queries would return wrong results, and no code of this module
   * runs during queries.
   *
   * @param factory the complete factory
   */
  public void check(SessionFactoryImplementor factory) {
    SessionFactoryOptions options = factory.getSessionFactoryOptions();
    if (!options.isMultiTenancyEnabled()
        && options.getTenantSchemaMapper() == null
        && ConfigurationHelper.getBoolean(
            JdbcSettings.ALLOW_METADATA_ON_BOOT, factory.getProperties(), true)) {
      PgToaster open = pgToaster.apply(PgToaster.create(new FactoryConnections(factory, null)));
      attributes().forEach(attribute -> attribute.check(open));
    }
  }

  /**
   * Registers the attributes of a factory.
   *
   * @param factory factory that the module is integrated into
   * @param contents attributes of the factory
   */
  public static void register(SessionFactoryImplementor factory, Contents contents) {
    BY_FACTORY.put(factory, contents);
  }

  /**
   * Removes the attributes of a factory.
   *
   * @param factory the closed factory
   */
  public static void forget(SessionFactoryImplementor factory) {
    BY_FACTORY.remove(factory);
  }

  /**
   * Returns the attributes of a factory.
   *
   * @param factory factory that the module was integrated into
   * @return the attributes
   */
  public static Contents of(SessionFactoryImplementor factory) {
    Contents contents = BY_FACTORY.get(factory);
    if (contents == null) {
      throw new IllegalStateException(
          "pgtoaster was not integrated into this session factory; do not disable its Integrator");
    }
    return contents;
  }

  /**
   * Returns all attributes, those of a superclass once per subclass.
   *
   * @return the attributes
   */
  public List<ContentAttribute> attributes() {
    return byEntity.values().stream().flatMap(List::stream).toList();
  }

  /**
   * Returns the attributes of an entity, including those of its superclasses.
   *
   * @param persister persister of the entity
   * @return the attributes; do not modify the array
   */
  public Slot[] slots(EntityPersister persister) {
    return slots.computeIfAbsent(persister, this::find);
  }

  /**
   * Returns an attribute of an entity.
   *
   * @param entity name of the entity
   * @param property name of the attribute
   * @return the attribute; null if it does not exist, or has no content
   */
  public @Nullable ContentAttribute attribute(String entity, String property) {
    for (ContentAttribute attribute : byEntity.getOrDefault(entity, List.of())) {
      if (attribute.property().equals(property)) {
        return attribute;
      }
    }
    return null;
  }

  private Slot[] find(EntityPersister persister) {
    List<Slot> found = new ArrayList<>();
    for (ContentAttribute a : byEntity.getOrDefault(persister.getEntityName(), List.of())) {
      found.add(new Slot(a, persister.getPropertyIndex(a.property())));
    }
    return found.toArray(new Slot[0]);
  }
}
