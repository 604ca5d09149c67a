package io.pgtoaster.hibernate.jsonb;

import io.pgtoaster.internal.json.Json;
import java.io.Serializable;

/**
 * The serialized form of a {@link KeyedJson}.
 *
 * @param text of the whole document, or of its row
 * @param whole whether it is the whole document
 * @param changed whether to write it when its entity is merged
 */
record SerializedJson(String text, boolean whole, boolean changed) implements Serializable {
  private Object readResolve() {
    return KeyedJson.with(
        whole
            ? DocumentState.whole(Json.readStored(text), changed)
            : DocumentState.stored(text, null, null));
  }
}
