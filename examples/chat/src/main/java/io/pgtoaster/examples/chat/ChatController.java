package io.pgtoaster.examples.chat;

import io.pgtoaster.error.InvalidSearchException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** Conversations over HTTP. */
@RestController
@RequestMapping("/api")
final class ChatController {
  private static final int MAX_QUESTION = 2000;
  private static final int MAX_FILLING = 10_000;

  private final Chats chats;
  private final Answers answers;

  ChatController(Chats chats, Answers answers) {
    this.chats = chats;
    this.answers = answers;
  }

  @GetMapping("/users/{owner}/chats")
  List<Chats.Chat> chats(@PathVariable String owner) {
    return chats.of(owner);
  }

  @PostMapping("/users/{owner}/chats")
  Chats.Chat create(@PathVariable String owner) {
    return chats.create(owner);
  }

  @DeleteMapping("/users/{owner}")
  void delete(@PathVariable String owner) {
    chats.delete(owner);
  }

  /** Messages, and the id of the answer to the last one, unless it is one of the messages. */
  record View(Chats.Page page, @Nullable Long answer) {}

  @GetMapping("/chats/{id}")
  View view(@PathVariable String id, @RequestParam(required = false) @Nullable Long before) {
    Chats.Page page = chats.page(id, before);
    List<Chats.Line> lines = page.lines();
    boolean waits = !lines.isEmpty() && lines.get(lines.size() - 1).type().equals("USER");
    return new View(page, waits && before == null ? answers.latest(id) : null);
  }

  record Question(@Nullable String text) {}

  @PostMapping("/chats/{id}/turns")
  Map<String, Long> ask(@PathVariable String id, @RequestBody Question question) {
    String text = question.text();
    if (text == null || text.isBlank() || text.length() > MAX_QUESTION || text.indexOf(0) >= 0) {
      throw new ResponseStatusException(
          HttpStatus.BAD_REQUEST, "A question must have 1 to " + MAX_QUESTION + " characters.");
    }
    require(chats.name(id, text));
    Long answer = answers.start(id, text);
    if (answer == null) {
      throw new ResponseStatusException(HttpStatus.CONFLICT, "The last answer is not complete.");
    }
    return Map.of("id", answer);
  }

  /** Returns the cost of the latest turn when it is known; nothing if there was no turn. */
  @GetMapping("/chats/{id}/cost")
  @Nullable CompletableFuture<Costs.Turn> cost(@PathVariable String id) {
    return answers.latestTurn(id);
  }

  @PostMapping("/chats/{id}/filling")
  void fill(@PathVariable String id, @RequestParam int messages) {
    require(chats.name(id, messages + " messages"));
    chats.fill(id, Math.min(messages, MAX_FILLING));
  }

  private static void require(boolean exists) {
    if (!exists) {
      throw new ResponseStatusException(HttpStatus.NOT_FOUND, "The conversation does not exist.");
    }
  }

  @GetMapping("/search")
  List<Chats.Hit> search(@RequestParam String words) {
    return chats.search(words);
  }

  @ExceptionHandler
  ProblemDetail onNoWord(InvalidSearchException e) {
    return ProblemDetail.forStatusAndDetail(
        HttpStatus.BAD_REQUEST, "Add a word that is not as common as “the”.");
  }
}
