package io.pgtoaster.hibernate.blob;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.cfg.ContextAttributes;
import tools.jackson.databind.json.JsonMapper;

/**
 * Tells where a client fetches the content of a blob that its entity's JSON does not have. Called
 * by any thread that writes JSON.
 */
@FunctionalInterface
public interface BlobLinks {
  /**
   * Returns a link.
   *
   * @param owner the object of which the blob is an attribute
   * @param attribute name of the attribute in JSON
   * @return a URI, absolute or relative to that of the owner's JSON; null for none
   */
  @Nullable String link(Object owner, String attribute);

  /**
   * Has a mapper write links as {@code "href"} beside the length.
   *
   * @param builder of the mapper
   * @return the same
   */
  default JsonMapper.Builder addTo(JsonMapper.Builder builder) {
    ContextAttributes attributes = builder.defaultAttributes();
    return builder.defaultAttributes(attributes.withSharedAttribute(BlobLinks.class, this));
  }
}
