package io.pgtoaster.hibernate.blob;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.cfg.ContextAttributes;
import tools.jackson.databind.json.JsonMapper;

/**
 * Returns links to the content of blobs, which the JSON of their entities does not contain. Any
 * thread that writes JSON may call it.
 */
@FunctionalInterface
public interface BlobLinks {
  /**
   * Returns a link.
   *
   * @param owner the object that has the blob as an attribute
   * @param attribute name of the attribute in JSON
   * @return a URI, absolute or relative to that of the owner's JSON; null for none
   */
  @Nullable String link(Object owner, String attribute);

  /**
   * Makes a mapper write links as {@code "href"} next to the length.
   *
   * @param builder of the mapper
   * @return the same builder
   */
  default JsonMapper.Builder addTo(JsonMapper.Builder builder) {
    ContextAttributes attributes = builder.defaultAttributes();
    return builder.defaultAttributes(attributes.withSharedAttribute(BlobLinks.class, this));
  }
}
