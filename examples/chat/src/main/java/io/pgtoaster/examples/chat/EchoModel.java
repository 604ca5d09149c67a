package io.pgtoaster.examples.chat;

import java.time.Duration;
import java.util.List;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

/** Repeats what the user says, one word at a time. It takes the place of a real model. */
@Component
final class EchoModel implements ChatModel {
  private final Duration pause;

  EchoModel(@Value("${example.pause}") Duration pause) {
    this.pause = pause;
  }

  @Override
  public ChatResponse call(Prompt prompt) {
    return response(answer(prompt));
  }

  @Override
  public Flux<ChatResponse> stream(Prompt prompt) {
    return Flux.fromArray(answer(prompt).split("(?<= )", -1))
        .delayElements(pause)
        .publishOn(Schedulers.boundedElastic()) // its threads may wait for the database
        .map(EchoModel::response);
  }

  private static String answer(Prompt prompt) {
    UserMessage question = prompt.getUserMessage();
    return """
      You said: %s

      I am an echo, so I cannot add much. Spring AI sent me the whole conversation (messages: %d). \
      A real model would now read it, and answer word by word, as I do. Each word is appended to a \
      blob when it arrives. You can reload this page, or open it in a second window: the answer \
      continues where it is."""
        .formatted(question.getText(), prompt.getInstructions().size());
  }

  private static ChatResponse response(String text) {
    return new ChatResponse(List.of(new Generation(new AssistantMessage(text))));
  }
}
