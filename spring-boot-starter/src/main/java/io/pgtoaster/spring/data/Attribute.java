package io.pgtoaster.spring.data;

import io.pgtoaster.error.RowNotFoundException;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityNotFoundException;
import org.hibernate.Hibernate;
import org.hibernate.engine.spi.SelfDirtinessTracker;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.persister.entity.EntityPersister;
import org.jspecify.annotations.Nullable;
import org.springframework.data.jpa.repository.JpaContext;
import org.springframework.data.repository.core.RepositoryMethodContext;

/** An attribute of an entity of the repository that is being called. */
record Attribute<A>(EntityManager entities, Object entity, EntityPersister persister, int index) {
  static <A> Attribute<A> of(JpaContext context, Object id, String name, Class<A> type) {
    Class<?> domain = RepositoryMethodContext.getContext().getMetadata().getDomainType();
    EntityManager entities = context.getEntityManagerByManagedType(domain);
    Object found = entities.find(domain, id);
    if (found == null) {
      String message = domain.getSimpleName() + " with id " + id + " is not there";
      // By its cause MVC answers 404, as for the other ways to a row.
      throw new EntityNotFoundException(message, new RowNotFoundException(message));
    }
    Object entity = Hibernate.unproxy(found);
    EntityPersister persister =
        entities
            .getEntityManagerFactory()
            .unwrap(SessionFactoryImplementor.class)
            .getMappingMetamodel()
            .getEntityDescriptor(Hibernate.getClass(entity));
    for (int i = 0; i < persister.getPropertyNames().length; i++) {
      if (persister.getPropertyNames()[i].equals(name)
          && type.isAssignableFrom(persister.getPropertyTypes()[i].getReturnedClass())) {
        // Of an entity that the build has enhanced, it may not be loaded yet.
        entities.getEntityManagerFactory().getPersistenceUnitUtil().load(entity, name);
        return new Attribute<>(entities, entity, persister, i);
      }
    }
    throw new IllegalArgumentException(
        domain.getSimpleName() + " has no attribute " + name + " of type " + type.getSimpleName());
  }

  @SuppressWarnings("unchecked") // checked by of
  @Nullable A get() {
    return (A) persister.getValue(entity, index);
  }

  /** Gives the entity a value, and writes it. */
  void set(A value) {
    persister.setValue(entity, index, value);
    if (entity instanceof SelfDirtinessTracker tracker) {
      tracker.$$_hibernate_trackChange(persister.getPropertyNames()[index]);
    }
    entities.flush();
  }
}
