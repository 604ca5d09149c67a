package io.pgtoaster.spring.resource;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.InputStreamResource;
import org.springframework.core.io.Resource;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.MediaTypeFactory;
import org.springframework.http.ResponseEntity;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/**
 * What a controller of Spring MVC returns for a blob: {@code 200} or {@code 206} with an entity
 * tag, {@code 304} for what the client has already, {@code 412} and {@code 416} for conditions and
 * ranges that are not met, {@code 404} where there is nothing. Of a range only the range is read.
 */
public final class BlobResponse {
  /** Types that cannot act in the name of the user, XML aside. */
  private static final Set<String> SHOWN = Set.of("image", "audio", "video");

  private BlobResponse() {}

  /**
   * Answers a GET or HEAD by a blob as it is now. The media type is that of the blob's file name,
   * or {@code application/octet-stream}, whatever the client accepts; it is not to be guessed.
   * Because the name may be an uploader's, a browser shows images, audio, video and plain text
   * only, and saves everything else, unless the response has a {@code Content-Disposition}. Scripts
   * and style sheets are {@code application/octet-stream}, so that no page of the site can include
   * them.
   *
   * @param blob to send
   * @param request whose headers say what of it is wanted, and under which conditions
   * @return a response, whose body can be read once and holds no connection
   * @throws IOException if the blob cannot be looked at
   */
  public static ResponseEntity<Resource> of(BlobResource blob, HttpServletRequest request)
      throws IOException {
    MediaType type = MediaTypeFactory.getMediaType(blob).orElse(MediaType.APPLICATION_OCTET_STREAM);
    String kind = type.getSubtype();
    boolean shown =
        type.equalsTypeAndSubtype(MediaType.TEXT_PLAIN)
            || (SHOWN.contains(type.getType()) && !kind.contains("xml"));
    boolean savedAnyway = type.equalsTypeAndSubtype(MediaType.APPLICATION_OCTET_STREAM);
    boolean included =
        kind.contains("javascript") || kind.contains("ecmascript") || kind.equals("css");
    return of(
        blob,
        request,
        included ? MediaType.APPLICATION_OCTET_STREAM : type,
        !shown && !savedAnyway && !hasDisposition());
  }

  /** Whether the application has said how its response is to be taken; a header is sent once. */
  private static boolean hasDisposition() {
    @Nullable HttpServletResponse response =
        RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes here
            ? here.getResponse()
            : null;
    return response != null && response.containsHeader(HttpHeaders.CONTENT_DISPOSITION);
  }

  /**
   * Answers as {@link #of(BlobResource, HttpServletRequest)} in a type that the application says,
   * which a browser may show, also if it is HTML.
   *
   * @param blob to send
   * @param request whose headers say what of it is wanted, and under which conditions
   * @param type of the content; not one that an uploader chose
   * @return a response, whose body can be read once and holds no connection
   * @throws IOException if the blob cannot be looked at
   */
  public static ResponseEntity<Resource> of(
      BlobResource blob, HttpServletRequest request, MediaType type) throws IOException {
    return of(blob, request, type, false);
  }

  private static ResponseEntity<Resource> of(
      BlobResource blob, HttpServletRequest request, MediaType type, boolean saved)
      throws IOException {
    BlobResource now;
    try {
      now = blob.snapshot();
    } catch (FileNotFoundException e) {
      return ResponseEntity.notFound().build();
    }
    @Nullable String tag = now.eTag();
    long length = now.contentLength();
    HttpHeaders headers = new HttpHeaders();
    headers.set(HttpHeaders.ACCEPT_RANGES, "bytes");
    headers.set(ReturnedBlobAdvice.CONTENT_TYPE_OPTIONS, "nosniff");
    if (saved) {
      headers.setContentDisposition(ReturnedBlobAdvice.attachment(now.getFilename()));
    }
    headers.setETag(tag);
    if (now.lastModified() >= 0) {
      headers.setLastModified(now.lastModified());
    }
    @Nullable HttpStatus unmet = Conditions.unmet(request, tag, now.lastModified());
    if (unmet != null) {
      return ResponseEntity.status(unmet).headers(headers).build();
    }
    if (HttpMethod.HEAD.matches(request.getMethod())) {
      return ResponseEntity.ok().headers(headers).contentType(type).contentLength(length).build();
    }
    @Nullable List<ByteRange> parts = parts(request, tag, length);
    if (parts == null) {
      return body(HttpStatus.OK, headers, type, now, new ByteRange(0, length));
    }
    if (parts.isEmpty()) {
      headers.set(HttpHeaders.CONTENT_RANGE, "bytes */" + length);
      return ResponseEntity.status(HttpStatus.REQUESTED_RANGE_NOT_SATISFIABLE)
          .headers(headers)
          .build();
    }
    if (parts.size() == 1) {
      headers.set(HttpHeaders.CONTENT_RANGE, parts.get(0).header(length));
      return body(HttpStatus.PARTIAL_CONTENT, headers, type, now, parts.get(0));
    }
    BlobParts body = new BlobParts(now, length, type, parts);
    return ResponseEntity.status(HttpStatus.PARTIAL_CONTENT)
        .headers(headers)
        .contentType(body.type())
        .contentLength(body.length())
        .body(new InputStreamResource(body::open, now.getDescription()));
  }

  private static ResponseEntity<Resource> body(
      HttpStatus status, HttpHeaders headers, MediaType type, BlobResource blob, ByteRange part) {
    return ResponseEntity.status(status)
        .headers(headers)
        .contentType(type)
        .contentLength(part.length())
        .body(new InputStreamResource(() -> blob.windows(part), blob.getDescription()));
  }

  /** What is wanted; null for all, also where the client has a part of another content. */
  private static @Nullable List<ByteRange> parts(
      HttpServletRequest request, @Nullable String tag, long length) {
    @Nullable String range = request.getHeader(HttpHeaders.RANGE);
    @Nullable String ifRange = request.getHeader(HttpHeaders.IF_RANGE);
    boolean other = ifRange != null && !ifRange.strip().equals(tag);
    return range == null || other ? null : ByteRange.parse(range, length);
  }
}
