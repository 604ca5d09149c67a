package io.pgtoaster.spring.tus;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A request with the headers of the tus protocol. */
record TusRequest(HttpServletRequest servlet) {
  private static final Pattern DIGITS = Pattern.compile("[0-9]{1,18}");

  /**
   * Returns the method, or {@code X-HTTP-Method-Override} for clients that can only send some
   * methods.
   */
  String method() {
    String override = header("X-HTTP-Method-Override");
    return override != null && servlet.getMethod().equals("POST")
        ? override.toUpperCase(Locale.ROOT)
        : servlet.getMethod();
  }

  @Nullable String header(String name) {
    return servlet.getHeader(name);
  }

  /** Returns a header that contains a number of bytes, or null if it is missing. */
  @Nullable Long number(String name) {
    String value = header(name);
    if (value == null) {
      return null;
    }
    if (!DIGITS.matcher(value).matches()) {
      throw new TusException(400, name + " is not a number of bytes");
    }
    return Long.valueOf(value);
  }

  boolean hasContentType(String type) {
    String given = servlet.getContentType();
    return given != null && given.split(";", 2)[0].strip().equalsIgnoreCase(type);
  }

  @Nullable UploadChecksum checksum() {
    String value = header("Upload-Checksum");
    return value == null ? null : UploadChecksum.parse(value);
  }
}
