package io.pgtoaster.hibernate.internal;

import io.pgtoaster.PgToaster;
import java.sql.Connection;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.hibernate.boot.spi.SessionFactoryOptions;
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
  private final Map<EntityPersister, List<Position>> positions = new ConcurrentHashMap<>();

  /** An attribute and its position in the state of an entity. */
  private record Position(ContentAttribute attribute, int index) {}

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

  public static void register(SessionFactoryImplementor factory, Contents contents) {
    BY_FACTORY.put(factory, contents);
  }

  public static void forget(SessionFactoryImplementor factory) {
    BY_FACTORY.remove(factory);
  }

  public static Contents of(SessionFactoryImplementor factory) {
    Contents contents = BY_FACTORY.get(factory);
    if (contents == null) {
      throw new IllegalStateException(
          "pgtoaster was not integrated into this session factory; do not disable its Integrator");
    }
    return contents;
  }

  /** Returns all attributes, those of a superclass once per subclass. */
  public List<ContentAttribute> attributes() {
    return byEntity.values().stream().flatMap(List::stream).toList();
  }

  /** Returns whether entities of a type have content. */
  public boolean has(EntityPersister persister) {
    return !positions(persister).isEmpty();
  }

  /** Returns the attributes of an entity, including those of its superclasses. */
  public List<Slot> slots(Owner owner) {
    return positions(owner.persister()).stream()
        .map(p -> new Slot(p.attribute(), p.index(), owner))
        .toList();
  }

  private List<Position> positions(EntityPersister persister) {
    return positions.computeIfAbsent(
        persister,
        p ->
            byEntity.getOrDefault(p.getEntityName(), List.of()).stream()
                .map(a -> new Position(a, p.getPropertyIndex(a.property())))
                .toList());
  }

  /**
   * Returns the attributes of all entities that an open session manages; none for a stateless
   * session.
   */
  public static Stream<Slot> managed(SharedSessionContractImplementor session) {
    if (!session.isEventSource()) {
      return Stream.empty();
    }
    Contents contents = of(session.getFactory());
    return Arrays.stream(session.getPersistenceContextInternal().reentrantSafeEntityEntries())
        .flatMap(m -> contents.slots(Owner.of(session, m.getKey(), m.getValue())).stream());
  }

  /**
   * Returns the connection of a session. Outside a transaction, the session keeps it until its next
   * operation or transaction ends, or until it is closed.
   */
  public static Connection connection(SharedSessionContractImplementor session) {
    return session.getJdbcCoordinator().getLogicalConnection().getPhysicalConnection();
  }

  /** Returns an attribute of an entity; null if it does not exist, or has no content. */
  public @Nullable ContentAttribute attribute(String entity, String property) {
    return byEntity.getOrDefault(entity, List.of()).stream()
        .filter(attribute -> attribute.property().equals(property))
        .findFirst()
        .orElse(null);
  }
}
