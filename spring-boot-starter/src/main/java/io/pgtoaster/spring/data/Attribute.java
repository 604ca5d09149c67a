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

/** An attribute of an entity that belongs to the repository being called. */
record Attribute<A>(EntityManager entities, Object entity, EntityPersister persister, int index) {
  static <A> Attribute<A> of(JpaContext context, Object id, String name, Class<A> type) {
    Class<?> domain = RepositoryMethodContext.getContext().getMetadata().getDomainType();
    EntityManager entities = context.getEntityManagerByManagedType(domain);
    Object found = entities.find(domain, id);
    if (found == null) {
      String message = domain.getSimpleName() + " with id " + id + " does not exist";
      // The cause makes MVC respond with 404, as for other missing rows.
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
        // The attribute of a bytecode-enhanced entity may not be loaded yet.
        entities.getEntityManagerFactory().getPersistenceUnitUtil().load(entity, name);
        return new Attribute<>(entities, entity, persister, i);
      }
    }
    throw new IllegalArgumentException(
        domain.getSimpleName() + " has no attribute " + name + " of type " + type.getSimpleName());
  }

  @SuppressWarnings("unchecked") // of() has checked it
  @Nullable A get() {
    return (A) persister.getValue(entity, index);
  }

  /** Sets the attribute's value in the entity and writes it. */
  void set(A value) {
    persister.setValue(entity, index, value);
    if (entity instanceof SelfDirtinessTracker tracker) {
      tracker.$$_hibernate_trackChange(persister.getPropertyNames()[index]);
    }
    entities.flush();
  }
}
