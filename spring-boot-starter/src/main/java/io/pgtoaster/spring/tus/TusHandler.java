package io.pgtoaster.spring.tus;

import io.pgtoaster.error.BlobSealedException;
import io.pgtoaster.error.RowNotFoundException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.web.HttpRequestHandler;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.HandlerMapping;

/** Implements tus 1.0.0 on top of uploads. */
final class TusHandler implements HttpRequestHandler {
  /** The path variable with the id of an upload. */
  static final String ID = "id";

  private static final String VERSION = "1.0.0";
  private static final String RETRY_AFTER_SECONDS = "5";
  private static final String CONTENT_TYPE = "application/offset+octet-stream";

  private final UploadService service;
  private final UploadQueue queue = new UploadQueue();

  TusHandler(UploadService service) {
    this.service = service;
  }

  @Override
  public void handleRequest(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    response.setHeader("Tus-Resumable", VERSION);
    response.setHeader("X-Content-Type-Options", "nosniff");
    response.setHeader(HttpHeaders.CACHE_CONTROL, "no-store");
    TusRequest tus = new TusRequest(request);
    try {
      @Nullable String id = id(request);
      if (id == null) {
        answer(tus, response);
      } else {
        answer(tus, uuid(id), response);
      }
    } catch (TusException e) {
      if (e.status() == TusException.BUSY) {
        response.setHeader(HttpHeaders.RETRY_AFTER, RETRY_AFTER_SECONDS);
      }
      refuse(tus, response, e.status(), e.getMessage());
    } catch (ResponseStatusException e) {
      e.getHeaders()
          .forEach((name, values) -> values.forEach(value -> response.addHeader(name, value)));
      refuse(tus, response, e.getStatusCode().value(), e.getReason());
    } catch (RowNotFoundException e) {
      refuse(tus, response, HttpServletResponse.SC_GONE, "the upload's row no longer exists");
    } catch (BlobSealedException e) {
      refuse(tus, response, HttpServletResponse.SC_FORBIDDEN, "the upload's content is final");
    }
  }

  private void answer(TusRequest tus, HttpServletResponse response) throws IOException {
    switch (tus.method()) {
      case "OPTIONS" -> options(response, "OPTIONS, POST");
      case "POST" -> create(tus, response);
      default -> throw notAllowed(response, "OPTIONS, POST");
    }
  }

  private void answer(TusRequest tus, UUID id, HttpServletResponse response) throws IOException {
    switch (tus.method()) {
      case "OPTIONS" -> options(response, "OPTIONS, HEAD, PATCH, DELETE");
      case "HEAD" -> head(tus, id, response);
      case "PATCH" -> patch(tus, id, response);
      case "DELETE" -> delete(tus, id, response);
      default -> throw notAllowed(response, "OPTIONS, HEAD, PATCH, DELETE");
    }
  }

  private void options(HttpServletResponse response, String allow) {
    response.setHeader(HttpHeaders.ALLOW, allow);
    response.setHeader("Tus-Version", VERSION);
    response.setHeader(
        "Tus-Extension",
        "creation,creation-defer-length,creation-with-upload,checksum,termination"
            + (service.table().expires() ? ",expiration" : ""));
    if (service.maxSize() < Long.MAX_VALUE) {
      response.setHeader("Tus-Max-Size", Long.toString(service.maxSize()));
    }
    response.setHeader("Tus-Checksum-Algorithm", UploadChecksum.algorithms());
    response.setStatus(HttpServletResponse.SC_NO_CONTENT);
  }

  private void create(TusRequest tus, HttpServletResponse response) throws IOException {
    requireVersion(tus, response);
    if (tus.header("Upload-Concat") != null) {
      // Reject parts, because the application would get each part as a complete upload.
      throw new TusException(400, "uploads cannot be concatenated here; see Tus-Extension");
    }
    @Nullable Long length = tus.number("Upload-Length");
    @Nullable String deferred = tus.header("Upload-Defer-Length");
    if (length == null ? !"1".equals(deferred) : deferred != null) {
      throw new TusException(400, "either Upload-Length or Upload-Defer-Length: 1 is required");
    }
    if (tus.hasContentType(CONTENT_TYPE)) {
      // Check memory before creating the upload, because a client whose request is rejected does
      // not get the upload's URL.
      try (UploadMemory.Share memory = memory(tus)) {
        UploadRequest request = request(tus, 0, null, memory);
        if (length != null && request.announced() > length) {
          throw new TusException(413, "the body is longer than the upload");
        }
        TusUpload upload = create(tus, length, response);
        long end = service.append(upload, request, new UploadQueue.Turn());
        response.setHeader("Upload-Offset", Long.toString(end));
      }
    } else {
      create(tus, length, response);
    }
    response.setStatus(HttpServletResponse.SC_CREATED);
  }

  private TusUpload create(TusRequest tus, @Nullable Long length, HttpServletResponse response) {
    String metadata = tus.header("Upload-Metadata");
    TusUpload upload =
        service.create(length, metadata == null ? "" : metadata, tus.servlet().getUserPrincipal());
    String base = tus.servlet().getRequestURI();
    response.setHeader(HttpHeaders.LOCATION, base + (base.endsWith("/") ? "" : "/") + upload.id());
    expires(response);
    return upload;
  }

  private void head(TusRequest tus, UUID id, HttpServletResponse response) {
    requireVersion(tus, response);
    @Nullable Principal caller = tus.servlet().getUserPrincipal();
    queue.await(id, () -> service.find(id, caller));
    UploadTable.Row row = service.find(id, caller);
    TusUpload upload = row.upload();
    response.setHeader("Upload-Offset", Long.toString(service.offset(upload)));
    if (upload.length() == null) {
      response.setHeader("Upload-Defer-Length", "1");
    } else {
      response.setHeader("Upload-Length", upload.length().toString());
    }
    if (!row.metadata().isEmpty()) {
      response.setHeader("Upload-Metadata", row.metadata());
    }
    response.setStatus(HttpServletResponse.SC_OK);
  }

  private void patch(TusRequest tus, UUID id, HttpServletResponse response) throws IOException {
    requireVersion(tus, response);
    if (!tus.hasContentType(CONTENT_TYPE)) {
      throw new TusException(415, "the content type of a PATCH must be " + CONTENT_TYPE);
    }
    @Nullable Long offset = tus.number("Upload-Offset");
    if (offset == null) {
      throw new TusException(400, "Upload-Offset is missing");
    }
    @Nullable Principal caller = tus.servlet().getUserPrincipal();
    try (UploadMemory.Share memory = memory(tus)) {
      UploadRequest request = request(tus, offset, tus.number("Upload-Length"), memory);
      long end =
          queue.take(
              id,
              () -> service.find(id, caller),
              turn -> service.append(service.resume(id, caller), request, turn));
      response.setHeader("Upload-Offset", Long.toString(end));
    }
    expires(response);
    response.setStatus(HttpServletResponse.SC_NO_CONTENT);
  }

  private void delete(TusRequest tus, UUID id, HttpServletResponse response) {
    requireVersion(tus, response);
    service.terminate(service.find(id, tus.servlet().getUserPrincipal()).upload());
    response.setStatus(HttpServletResponse.SC_NO_CONTENT);
  }

  private UploadMemory.Share memory(TusRequest tus) {
    return service.memory().take(Receiver.minMemory(tus.header("Upload-Checksum") != null));
  }

  private static UploadRequest request(
      TusRequest tus, long offset, @Nullable Long uploadLength, UploadMemory.Share memory)
      throws IOException {
    HttpServletRequest request = tus.servlet();
    return new UploadRequest(
        offset,
        uploadLength,
        request.getInputStream(),
        request.getContentLengthLong(),
        tus.checksum(),
        memory);
  }

  private void expires(HttpServletResponse response) {
    if (service.table().expires()) {
      Instant end = Instant.now().plus(service.table().expireAfter());
      response.setDateHeader("Upload-Expires", end.toEpochMilli());
    }
  }

  private static void requireVersion(TusRequest tus, HttpServletResponse response) {
    if (!VERSION.equals(tus.header("Tus-Resumable"))) {
      response.setHeader("Tus-Version", VERSION);
      throw new TusException(412, "Tus-Resumable is not " + VERSION);
    }
  }

  private static TusException notAllowed(HttpServletResponse response, String allow) {
    response.setHeader(HttpHeaders.ALLOW, allow);
    return new TusException(405, "the method is not one of " + allow);
  }

  private static void refuse(
      TusRequest tus, HttpServletResponse response, int status, @Nullable String message)
      throws IOException {
    response.setStatus(status);
    if (message != null && !tus.method().equals("HEAD")) {
      response.setContentType("text/plain;charset=UTF-8");
      response.getOutputStream().write(message.getBytes(StandardCharsets.UTF_8));
    }
  }

  private static @Nullable String id(HttpServletRequest request) {
    return request.getAttribute(HandlerMapping.URI_TEMPLATE_VARIABLES_ATTRIBUTE)
                instanceof Map<?, ?> variables
            && variables.get(ID) instanceof String id
        ? id
        : null;
  }

  private static UUID uuid(String id) {
    try {
      return UUID.fromString(id.toLowerCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw new TusException(404, "there is no such upload");
    }
  }
}
