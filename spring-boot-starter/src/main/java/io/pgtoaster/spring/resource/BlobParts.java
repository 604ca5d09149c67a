package io.pgtoaster.spring.resource;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.springframework.http.MediaType;
import org.springframework.util.MimeTypeUtils;

/** Several parts of a blob as a body of type {@code multipart/byteranges} (RFC 9110, 14.6). */
final class BlobParts {
  private final BlobResource blob;
  private final List<ByteRange> parts;
  private final List<byte[]> heads;
  private final byte[] end;
  private final String boundary = MimeTypeUtils.generateMultipartBoundaryString();

  BlobParts(BlobResource blob, long contentLength, MediaType type, List<ByteRange> parts) {
    this.blob = blob;
    this.parts = parts;
    this.heads =
        parts.stream()
            .map(
                part ->
                    ascii(
                        "\r\n--%s\r\nContent-Type: %s\r\nContent-Range: %s\r\n\r\n"
                            .formatted(boundary, type, part.header(contentLength))))
            .toList();
    this.end = ascii("\r\n--" + boundary + "--\r\n");
  }

  MediaType type() {
    return new MediaType("multipart", "byteranges", Map.of("boundary", boundary));
  }

  /** Returns the number of bytes of the body. */
  long length() {
    return end.length
        + heads.stream().mapToLong(head -> head.length).sum()
        + parts.stream().mapToLong(ByteRange::length).sum();
  }

  /** Opens the body. Each part is read only when it is reached. */
  InputStream open() {
    List<InputStream> streams = new ArrayList<>();
    for (int i = 0; i < parts.size(); i++) {
      streams.add(new ByteArrayInputStream(heads.get(i)));
      streams.add(blob.windows(parts.get(i)));
    }
    streams.add(new ByteArrayInputStream(end));
    return new SequenceInputStream(Collections.enumeration(streams));
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
