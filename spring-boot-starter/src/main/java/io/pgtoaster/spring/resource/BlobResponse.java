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
 * Builds the response that a Spring MVC controller returns for a blob: {@code 200} or {@code 206}
 * with an entity tag, {@code 304} if the client already has the content, {@code 412} and {@code
 * 416} for conditions and ranges that are not met, {@code 404} if the blob does not exist. For a
 * range request, only the range is read.
 */
public final class BlobResponse {
  /** Media types that cannot act in the user's name, except XML. */
  private static final Set<String> SHOWN = Set.of("image", "audio", "video");

  private BlobResponse() {}

  /**
   * Responds to GET or HEAD with the current content of a blob. The media type follows from the
   * blob's file name, or is {@code application/octet-stream}, whatever the client accepts; a header
   * forbids browsers from guessing it. Because an uploader may have chosen the name, a browser
   * displays only images, audio, video and plain text, and saves everything else, unless the
   * response has a {@code Content-Disposition}. Scripts and style sheets are sent as {@code
   * application/octet-stream}, so that no page of the site can include them.
   *
   * @param blob blob to send
   * @param request its headers select the range and set conditions
   * @return a response, whose body can be read once and does not hold a connection
   * @throws IOException if the blob cannot be queried
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

  /** Returns true if the application has already set the disposition; a header is sent once. */
  private static boolean hasDisposition() {
    @Nullable HttpServletResponse response =
        RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes here
            ? here.getResponse()
            : null;
    return response != null && response.containsHeader(HttpHeaders.CONTENT_DISPOSITION);
  }

  /**
   * Responds like {@link #of(BlobResource, HttpServletRequest)}, with a media type that the
   * application chooses. A browser may display the content, even if it is HTML.
   *
   * @param blob blob to send
   * @param request its headers select the range and set conditions
   * @param type media type of the content; never one that an uploader chose
   * @return a response, whose body can be read once and does not hold a connection
   * @throws IOException if the blob cannot be queried
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

  /**
   * Returns the requested parts. Returns null for the whole content, also if the client has part of
   * different content.
   */
  private static @Nullable List<ByteRange> parts(
      HttpServletRequest request, @Nullable String tag, long length) {
    @Nullable String range = request.getHeader(HttpHeaders.RANGE);
    @Nullable String ifRange = request.getHeader(HttpHeaders.IF_RANGE);
    boolean other = ifRange != null && !ifRange.strip().equals(tag);
    return range == null || other ? null : ByteRange.parse(range, length);
  }
}
