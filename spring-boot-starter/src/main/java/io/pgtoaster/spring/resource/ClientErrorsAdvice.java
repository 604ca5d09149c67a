package io.pgtoaster.spring.resource;

import io.pgtoaster.error.InvalidJsonException;
import io.pgtoaster.error.InvalidPathException;
import io.pgtoaster.error.OffsetConflictException;
import io.pgtoaster.error.PathNotFoundException;
import io.pgtoaster.error.RowNotFoundException;
import jakarta.servlet.http.HttpServletRequest;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.web.ErrorResponse;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;

/**
 * Responds with 404 if a controller appends to, changes or reads a missing row, or changes a
 * missing path, with 409 if an append expects another offset, and with 400 for invalid paths and
 * JSON. Table names in exception messages stay on the server.
 */
@ControllerAdvice
@Order // This advice runs last, so that the application's advice takes precedence.
final class ClientErrorsAdvice {
  ClientErrorsAdvice() {}

  @ExceptionHandler
  ErrorResponse missing(RowNotFoundException e) {
    return ErrorResponse.create(e, HttpStatus.NOT_FOUND, "there is no row with this key");
  }

  @ExceptionHandler
  ErrorResponse missing(PathNotFoundException e) {
    return ErrorResponse.create(e, HttpStatus.NOT_FOUND, "the document has no such path");
  }

  @ExceptionHandler
  ErrorResponse conflict(OffsetConflictException e) {
    return ErrorResponse.create(
        e, HttpStatus.CONFLICT, "the content has %d bytes".formatted(e.actual()));
  }

  @ExceptionHandler
  ErrorResponse wrongPath(InvalidPathException e) {
    return ErrorResponse.create(
        e, HttpStatus.BAD_REQUEST, "the path cannot be read, or does not fit the document");
  }

  @ExceptionHandler
  ErrorResponse wrongJson(InvalidJsonException e, HttpServletRequest request) {
    // Without a request body, the client sent no JSON, so the application or the stored data is at
    // fault.
    if (request.getContentLengthLong() <= 0 && request.getHeader("Transfer-Encoding") == null) {
      throw e;
    }
    return ErrorResponse.create(
        e, HttpStatus.BAD_REQUEST, "the body is not JSON, or is JSON that cannot be stored");
  }
}
