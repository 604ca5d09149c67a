package io.pgtoaster.jsonb.keyed;

import io.pgtoaster.column.AttachedColumn;
import io.pgtoaster.jsonb.JsonCapability;
import io.pgtoaster.jsonb.JsonToaster;
import io.pgtoaster.jsonb.JsonVtable;
import io.pgtoaster.jsonb.keyed.store.KeyedStore;
import java.util.EnumSet;
import java.util.Set;

/** The toaster {@code keyed}: a stub in the row, big members in a tree of small rows. */
public final class KeyedToaster implements JsonToaster {
  /** Name of the toaster. */
  public static final String NAME = "keyed";

  private static final Set<JsonCapability> ALL = Set.copyOf(EnumSet.allOf(JsonCapability.class));

  /** Creates the toaster; called by {@link java.util.ServiceLoader}. */
  public KeyedToaster() {}

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Set<JsonCapability> capabilities() {
    return ALL;
  }

  @Override
  public Executor executor() {
    return Executor.EXTENSION;
  }

  @Override
  public JsonVtable vtable(AttachedColumn column) {
    KeyedVtable sql = new KeyedVtable(KeyedStore.of(column));
    return column.extension() ? new ExtensionVtable(column, sql) : sql;
  }
}
