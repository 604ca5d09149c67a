package io.pgtoaster.hibernate.jsonb;

import io.pgtoaster.column.JsonEdit;
import org.jspecify.annotations.Nullable;

/**
 * A change of a document that is still to be written.
 *
 * @param edit the change
 * @param seen the value at the path before; null if it has not been read, or does not matter
 */
record Change(JsonEdit edit, @Nullable ReadValue seen) {}
