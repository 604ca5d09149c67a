package io.pgtoaster.spring.resource;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ETag;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;

/** Evaluates preconditions of GET and HEAD, in the order of RFC 9110, 13.2.2. */
final class Conditions {
  private Conditions() {}

  /**
   * Evaluates the preconditions.
   *
   * @param tag entity tag of the current content, or null if it has no tag
   * @param modified milliseconds since 1970, or -1
   * @return the status to respond with, or null to continue
   */
  static @Nullable HttpStatus unmet(
      HttpServletRequest request, @Nullable String tag, long modified) {
    long seconds = Math.floorDiv(modified, 1000);
    List<String> match = Collections.list(request.getHeaders(HttpHeaders.IF_MATCH));
    if (!match.isEmpty()) {
      if (!matches(match, tag, true)) {
        return HttpStatus.PRECONDITION_FAILED;
      }
    } else if (modified >= 0) {
      long date = seconds(request, HttpHeaders.IF_UNMODIFIED_SINCE);
      if (date >= 0 && seconds > date) {
        return HttpStatus.PRECONDITION_FAILED;
      }
    }
    List<String> noneMatch = Collections.list(request.getHeaders(HttpHeaders.IF_NONE_MATCH));
    if (!noneMatch.isEmpty()) {
      return matches(noneMatch, tag, false) ? HttpStatus.NOT_MODIFIED : null;
    }
    return modified >= 0 && seconds <= seconds(request, HttpHeaders.IF_MODIFIED_SINCE)
        ? HttpStatus.NOT_MODIFIED
        : null;
  }

  private static boolean matches(List<String> headers, @Nullable String tag, boolean strong) {
    return headers.stream()
        .flatMap(header -> ETag.parse(header).stream())
        .anyMatch(
            wanted ->
                wanted.isWildcard() || (tag != null && wanted.compare(ETag.create(tag), strong)));
  }

  /** Returns a date header in seconds, or -1 if it is missing or invalid. */
  private static long seconds(HttpServletRequest request, String header) {
    try {
      return Math.floorDiv(request.getDateHeader(header), 1000);
    } catch (IllegalArgumentException e) {
      return -1;
    }
  }
}
