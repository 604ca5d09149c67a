package io.pgtoaster.spring.resource;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Collection;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.core.annotation.Order;
import org.springframework.core.io.support.ResourceRegion;
import org.springframework.http.ContentDisposition;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.http.converter.ResourceHttpMessageConverter;
import org.springframework.http.converter.ResourceRegionHttpMessageConverter;
import org.springframework.http.server.ServerHttpRequest;
import org.springframework.http.server.ServerHttpResponse;
import org.springframework.http.server.ServletServerHttpRequest;
import org.springframework.http.server.ServletServerHttpResponse;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyAdvice;

/**
 * Prevents a browser from rendering uploads if a controller returns a {@link BlobResource}
 * directly. Spring would otherwise send it as any type that the client accepts, for example {@code
 * text/html} for a followed link. A type and disposition that the application sets are left
 * unchanged.
 */
@ControllerAdvice
@Order // This advice runs last, because other advice belongs to the application.
final class ReturnedBlobAdvice implements ResponseBodyAdvice<Object> {
  static final String CONTENT_TYPE_OPTIONS = "X-Content-Type-Options";

  ReturnedBlobAdvice() {}

  @Override
  public boolean supports(
      MethodParameter returnType, Class<? extends HttpMessageConverter<?>> converterType) {
    return ResourceHttpMessageConverter.class.isAssignableFrom(converterType)
        || ResourceRegionHttpMessageConverter.class.isAssignableFrom(converterType);
  }

  @Override
  public @Nullable Object beforeBodyWrite(
      @Nullable Object body,
      MethodParameter returnType,
      MediaType selected,
      Class<? extends HttpMessageConverter<?>> converterType,
      ServerHttpRequest request,
      ServerHttpResponse response) {
    @Nullable BlobResource blob = blobOf(body);
    if (blob == null) {
      return body;
    }
    HttpHeaders headers = response.getHeaders();
    if (headers.getFirst(CONTENT_TYPE_OPTIONS) == null) {
      headers.set(CONTENT_TYPE_OPTIONS, "nosniff");
    }
    @Nullable MediaType said = typeOfTheApplication(selected, request, response);
    headers.setContentType(said == null ? MediaType.APPLICATION_OCTET_STREAM : said);
    if (said == null && headers.getFirst(HttpHeaders.CONTENT_DISPOSITION) == null) {
      headers.setContentDisposition(attachment(blob.getFilename()));
    }
    return body;
  }

  static ContentDisposition attachment(@Nullable String filename) {
    ContentDisposition.Builder attachment = ContentDisposition.attachment();
    return filename == null ? attachment.build() : attachment.filename(filename, UTF_8).build();
  }

  /** Returns the blob of a response. A range response has regions, all of one resource. */
  private static @Nullable BlobResource blobOf(@Nullable Object body) {
    @Nullable Object sent = body;
    if (sent instanceof Collection<?> regions && !regions.isEmpty()) {
      sent = regions.iterator().next();
    }
    if (sent instanceof ResourceRegion region) {
      sent = region.getResource();
    }
    return sent instanceof BlobResource blob ? blob : null;
  }

  /** Returns the type from a header or the mapping's {@code produces}, not the client's. */
  private static @Nullable MediaType typeOfTheApplication(
      MediaType selected, ServerHttpRequest request, ServerHttpResponse response) {
    @Nullable MediaType set = response.getHeaders().getContentType();
    if (set == null && response instanceof ServletServerHttpResponse servlet) {
      @Nullable String type = servlet.getServletResponse().getContentType();
      set = type == null ? null : MediaType.parseMediaType(type);
    }
    if (set != null && set.isConcrete()) {
      return set;
    }
    boolean produced =
        request instanceof ServletServerHttpRequest servlet
            && servlet
                    .getServletRequest()
                    .getAttribute(HandlerMapping.PRODUCIBLE_MEDIA_TYPES_ATTRIBUTE)
                instanceof Collection<?> types
            && types.stream()
                .anyMatch(t -> t instanceof MediaType m && m.equalsTypeAndSubtype(selected));
    return produced ? selected : null;
  }
}
