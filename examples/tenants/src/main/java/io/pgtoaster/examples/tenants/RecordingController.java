package io.pgtoaster.examples.tenants;

import io.pgtoaster.blob.AppendOptions;
import io.pgtoaster.error.InvalidJsonException;
import io.pgtoaster.error.InvalidOffsetException;
import io.pgtoaster.error.InvalidPathException;
import io.pgtoaster.error.OffsetConflictException;
import io.pgtoaster.error.PgToasterException;
import io.pgtoaster.spring.resource.BlobResource;
import io.pgtoaster.spring.resource.BlobResponse;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.Resource;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;
import tools.jackson.databind.JsonNode;

/** The recordings of the request's tenant. */
@RestController
@RequestMapping("/recordings")
final class RecordingController {
  record Recording(long id, String title) {}

  record NewRecording(@Nullable String title) {}

  RecordingController() {}

  @GetMapping
  List<Recording> all(Tenant tenant) {
    return tenant
        .sql()
        .sql("SELECT id, title FROM " + tenant.table() + " ORDER BY id")
        .query((r, i) -> new Recording(r.getLong(1), r.getString(2)))
        .list();
  }

  @PostMapping
  @ResponseStatus(HttpStatus.CREATED)
  Recording add(Tenant tenant, @RequestBody NewRecording given) {
    String title = given.title();
    if (title == null) {
      throw new ResponseStatusException(HttpStatus.BAD_REQUEST, "The title is missing.");
    }
    long id =
        tenant
            .sql()
            .sql("INSERT INTO " + tenant.table() + " (title) VALUES (?) RETURNING id")
            .param(title)
            .query(Long.class)
            .single();
    return new Recording(id, title);
  }

  /**
   * Appends the body; holds a connection until it has arrived. If a client did not receive the
   * response, it sends the same part again with its offset, and the response contains the current
   * end of the recording.
   */
  @PostMapping(path = "/{id}/audio", consumes = MediaType.APPLICATION_OCTET_STREAM_VALUE)
  ResponseEntity<Map<String, Long>> append(
      Tenant tenant,
      @PathVariable("id") long id,
      @RequestParam(name = "offset", required = false) @Nullable Long offset,
      InputStream body) {
    AppendOptions options = AppendOptions.defaults();
    try {
      AppendOptions at = offset == null ? options : options.withExpectedOffset(offset);
      return ResponseEntity.ok(Map.of("end", tenant.audio().append(id, body, at).end()));
    } catch (OffsetConflictException e) {
      return ResponseEntity.status(HttpStatus.CONFLICT).body(Map.of("end", e.actual()));
    }
  }

  @GetMapping("/{id}/audio")
  ResponseEntity<Resource> audio(
      Tenant tenant, @PathVariable("id") long id, HttpServletRequest request) throws IOException {
    return BlobResponse.of(
        BlobResource.of(tenant.audio(), id).withFilename("recording.bin"), request);
  }

  /**
   * Returns the value at a path such as {@code speakers[0].name}, or all notes if there is no path.
   */
  @GetMapping("/{id}/notes")
  JsonNode notes(
      Tenant tenant,
      @PathVariable("id") long id,
      @RequestParam(name = "path", defaultValue = "") String path) {
    return tenant
        .notes()
        .at(id, path)
        .get()
        .orElseThrow(
            () ->
                new ResponseStatusException(
                    HttpStatus.NOT_FOUND, "There is no value at this path."));
  }

  /** Merges a patch into the notes (RFC 7396). */
  @PatchMapping("/{id}/notes")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void merge(Tenant tenant, @PathVariable("id") long id, @RequestBody JsonNode patch) {
    tenant.notes().merge(id, patch);
  }

  @ExceptionHandler({
    InvalidPathException.class,
    InvalidOffsetException.class,
    InvalidJsonException.class
  })
  ProblemDetail wrongInput(PgToasterException e) {
    return ProblemDetail.forStatusAndDetail(HttpStatus.BAD_REQUEST, String.valueOf(e.getMessage()));
  }
}
