package io.pgtoaster.spring.resource;

import io.pgtoaster.error.InvalidJsonException;
import io.pgtoaster.error.InvalidPathException;
import io.pgtoaster.error.RowNotFoundException;
import jakarta.servlet.http.HttpServletRequest;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.web.ErrorResponse;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;

/**
 * Answers 404 where a controller appends to, changes or reads a row that is not there, and 400 for
 * paths and JSON that cannot be used. Names of tables, which exceptions have, stay on the server.
 */
@ControllerAdvice
@Order // Last: the application's own advice is asked first.
final class ClientErrorsAdvice {
  ClientErrorsAdvice() {}

  @ExceptionHandler
  ErrorResponse missing(RowNotFoundException e) {
    return ErrorResponse.create(e, HttpStatus.NOT_FOUND, "there is no row with this key");
  }

  @ExceptionHandler
  ErrorResponse wrongPath(InvalidPathException e) {
    return ErrorResponse.create(
        e, HttpStatus.BAD_REQUEST, "the path cannot be read, or does not fit the document");
  }

  @ExceptionHandler
  ErrorResponse wrongJson(InvalidJsonException e, HttpServletRequest request) {
    // A request without a body has sent no JSON: the fault is the application's, or what is stored.
    if (request.getContentLengthLong() <= 0 && request.getHeader("Transfer-Encoding") == null) {
      throw e;
    }
    return ErrorResponse.create(
        e, HttpStatus.BAD_REQUEST, "this is not JSON, or JSON that cannot be stored");
  }
}
