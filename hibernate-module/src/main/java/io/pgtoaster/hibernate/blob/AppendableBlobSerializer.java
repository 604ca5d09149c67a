package io.pgtoaster.hibernate.blob;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonFormat.Shape;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.BeanProperty;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.jsontype.TypeSerializer;
import tools.jackson.databind.ser.std.StdSerializer;

/**
 * Writes the length of a blob and, if it has one, its link; or its content, if the attribute
 * requests that.
 */
final class AppendableBlobSerializer extends StdSerializer<AppendableBlob> {
  private final boolean content;

  AppendableBlobSerializer() {
    this(false);
  }

  private AppendableBlobSerializer(boolean content) {
    super(AppendableBlob.class);
    this.content = content;
  }

  @Override
  public ValueSerializer<?> createContextual(
      SerializationContext context, @Nullable BeanProperty property) {
    JsonFormat.Value format = findFormatOverrides(context, property, handledType());
    return format.getShape() == Shape.BINARY ? new AppendableBlobSerializer(true) : this;
  }

  @Override
  public void serialize(AppendableBlob blob, JsonGenerator json, SerializationContext context) {
    if (content) {
      writeContent(blob, json);
    } else {
      writeLength(blob, json, (BlobLinks) context.getAttribute(BlobLinks.class));
    }
  }

  private static void writeLength(
      AppendableBlob blob, JsonGenerator json, @Nullable BlobLinks links) {
    Object owner = json.currentValue();
    String attribute = json.streamWriteContext().currentName();
    String link =
        links == null || owner == null || attribute == null ? null : links.link(owner, attribute);
    long length = blob.knownLength();
    json.writeStartObject(blob);
    if (length >= 0) {
      json.writeNumberProperty("length", length);
    }
    if (link != null) {
      json.writeStringProperty("href", link);
    }
    json.writeEndObject();
  }

  private static void writeContent(AppendableBlob blob, JsonGenerator json) {
    PendingContent parts = blob.state().parts;
    byte[] bytes = parts == null ? null : parts.inMemory();
    if (parts != null && bytes == null) {
      throw new BlobStateException(
          "content of a stream or a file is not read before the session is flushed");
    }
    try (InputStream in = bytes == null ? blob.inputStream() : new ByteArrayInputStream(bytes)) {
      json.writeBinary(in, -1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void serializeWithType(
      AppendableBlob blob, JsonGenerator json, SerializationContext context, TypeSerializer type) {
    serialize(blob, json, context);
  }
}
