package io.pgtoaster.hibernate.internal;

import org.hibernate.bytecode.enhance.spi.LazyPropertyInitializer;
import org.hibernate.engine.spi.EntityEntry;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.jspecify.annotations.Nullable;

/**
 * An attribute with content of one entity, in a session.
 *
 * @param attribute the attribute
 * @param index its position in the arrays of the entity's state
 * @param owner the entity
 */
public record Slot(ContentAttribute attribute, int index, Owner owner) {
  /** The value of an attribute that is not loaded. */
  public static final Object UNFETCHED = LazyPropertyInitializer.UNFETCHED_PROPERTY;

  /**
   * Returns how the attribute is stored.
   *
   * @return the kind
   */
  public ContentKind kind() {
    return attribute.kind();
  }

  /**
   * Returns the session.
   *
   * @return the session of the owner
   */
  public SharedSessionContractImplementor session() {
    return owner.session();
  }

  /**
   * Returns the current value.
   *
   * @return the value in the entity, or {@link #UNFETCHED}
   */
  public @Nullable Object value() {
    return owner
            .persister()
            .getBytecodeEnhancementMetadata()
            .isAttributeLoaded(owner.entity(), attribute.property())
        ? owner.persister().getValue(owner.entity(), index)
        : UNFETCHED;
  }

  /**
   * Sets the current value.
   *
   * @param value to store in the entity
   */
  public void value(@Nullable Object value) {
    owner.persister().setValue(owner.entity(), index, value);
  }

  /**
   * Returns the value when the attribute was loaded or last written.
   *
   * @return the value; null also if it is not known
   */
  public @Nullable Object loaded() {
    @Nullable Object @Nullable [] state = loadedState();
    return state == null ? null : state[index];
  }

  /**
   * Sets the value that was loaded or written last.
   *
   * @param value to keep with the entry of the entity, if it has one
   */
  public void loaded(@Nullable Object value) {
    @Nullable Object @Nullable [] state = loadedState();
    if (state != null) {
      state[index] = value;
    }
  }

  private @Nullable Object @Nullable [] loadedState() {
    EntityEntry entry = owner.entry();
    return entry == null ? null : entry.getLoadedState();
  }

  /**
   * Replaces a value that was assigned to the entity by the value to store in it.
   *
   * @param value the assigned value
   * @param state of the entity, which gets the same value; or null
   * @return the value to store
   */
  public Object give(Object value, @Nullable Object @Nullable [] state) {
    Object fit = kind().given(this, value);
    if (fit != value) {
      value(fit);
      if (state != null && state[index] == value) {
        state[index] = fit;
      }
    }
    return fit;
  }

  /**
   * Returns whether another slot is the same column of the same object.
   *
   * @param other slot
   * @return true if so
   */
  public boolean isSame(Slot other) {
    return owner.entity() == other.owner.entity() && attribute.sameColumn(other.attribute);
  }

  /**
   * Describes the slot for messages.
   *
   * @return entity, identifier and attribute
   */
  public String describe() {
    return owner.describe() + "." + attribute.property();
  }
}
