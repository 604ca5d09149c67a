package io.pgtoaster.hibernate.internal;

import org.hibernate.bytecode.enhance.spi.LazyPropertyInitializer;
import org.hibernate.engine.spi.EntityEntry;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.jspecify.annotations.Nullable;

/**
 * An attribute with content of one entity, in a session.
 *
 * @param index position of the attribute in the arrays of the entity's state
 */
public record Slot(ContentAttribute attribute, int index, Owner owner) {
  /** The value of an attribute that is not loaded. */
  public static final Object UNFETCHED = LazyPropertyInitializer.UNFETCHED_PROPERTY;

  public ContentKind kind() {
    return attribute.kind();
  }

  public SharedSessionContractImplementor session() {
    return owner.session();
  }

  /** Returns the current value in the entity, or {@link #UNFETCHED}. */
  public @Nullable Object value() {
    return owner
            .persister()
            .getBytecodeEnhancementMetadata()
            .isAttributeLoaded(owner.entity(), attribute.property())
        ? owner.persister().getValue(owner.entity(), index)
        : UNFETCHED;
  }

  public void value(@Nullable Object value) {
    owner.persister().setValue(owner.entity(), index, value);
  }

  /**
   * Returns the value when the attribute was loaded or last written; null also if it is not known.
   */
  public @Nullable Object loaded() {
    @Nullable Object @Nullable [] state = loadedState();
    return state == null ? null : state[index];
  }

  /** Sets the value that was loaded or written last, if the session manages the entity. */
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
   * Replaces a value that was assigned to the entity, and is in a state of it, by the value to
   * store. Returns the new value.
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

  /** Returns whether another slot is the same column of the same object. */
  public boolean isSame(Slot other) {
    return owner.entity() == other.owner.entity() && attribute.sameColumn(other.attribute);
  }

  public String describe() {
    return owner.describe() + "." + attribute.property();
  }
}
