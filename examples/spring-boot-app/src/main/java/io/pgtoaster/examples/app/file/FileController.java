package io.pgtoaster.examples.app.file;

import io.pgtoaster.examples.app.cost.Comparison;
import io.pgtoaster.spring.resource.BlobResource;
import io.pgtoaster.spring.resource.BlobResources;
import io.pgtoaster.spring.resource.BlobResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.springframework.core.io.Resource;
import org.springframework.http.ContentDisposition;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** Uploaded files over HTTP. The starter's tus controller receives the uploads. */
@RestController
@RequestMapping("/api/files")
final class FileController {
  private final Files files;
  private final BlobResources resources;
  private final AppendCost appendCost;

  FileController(Files files, BlobResources resources, AppendCost appendCost) {
    this.files = files;
    this.resources = resources;
    this.appendCost = appendCost;
  }

  @GetMapping
  List<StoredFile> all() {
    return files.all();
  }

  /**
   * Sends a file or a range of it. Only content that a browser cannot mistake for a page is
   * displayed.
   */
  @GetMapping("/{id}/content")
  ResponseEntity<Resource> content(
      @PathVariable("id") long id, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    StoredFile file = find(id);
    boolean shown = !file.media().isEmpty();
    ContentDisposition disposition =
        (shown ? ContentDisposition.inline() : ContentDisposition.attachment())
            .filename(file.name(), StandardCharsets.UTF_8)
            .build();
    response.setHeader(HttpHeaders.CONTENT_DISPOSITION, disposition.toString());
    response.setHeader("Content-Security-Policy", "sandbox; default-src 'none'");
    BlobResource content = resources.get("example_file", "content", id);
    return BlobResponse.of(content.withFilename(shown ? file.name() : "file.bin"), request);
  }

  /** Measures an append to a file. Changes nothing. */
  @PostMapping("/{id}/cost")
  Comparison cost(@PathVariable("id") long id) {
    StoredFile file = find(id);
    if (file.stored() > AppendCost.MAX_SIZE) {
      throw new ResponseStatusException(
          HttpStatus.CONTENT_TOO_LARGE,
          "Only files of up to 32 MB are compared, because each comparison copies the file.");
    }
    return appendCost.of(file);
  }

  private StoredFile find(long id) {
    return files
        .find(id)
        .orElseThrow(() -> new ResponseStatusException(HttpStatus.NOT_FOUND, "No such file."));
  }
}
