package io.pgtoaster.examples.chat;

import org.slf4j.LoggerFactory;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.advisor.MessageChatMemoryAdvisor;
import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.ai.chat.memory.ChatMemoryRepository;
import org.springframework.ai.chat.memory.MessageWindowChatMemory;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.EventListener;

/** Starts the page at http://localhost:8082. */
@SpringBootApplication
public class ChatApplication {
  /** Starts the application with properties, such as {@code --server.port=9000}. */
  public static void main(String[] args) {
    SpringApplication.run(ChatApplication.class, args);
  }

  @Bean
  ChatMemory chatMemory(ChatMemoryRepository repository, Costs costs) {
    return MessageWindowChatMemory.builder()
        .chatMemoryRepository(costs.measured(repository))
        .maxMessages(20_000) // far more than a real model accepts
        .build();
  }

  @Bean
  ChatClient chatClient(ChatModel model, ChatMemory memory) {
    return ChatClient.builder(model)
        .defaultAdvisors(MessageChatMemoryAdvisor.builder(memory).build())
        .build();
  }

  @EventListener
  void onReady(WebServerInitializedEvent event) {
    LoggerFactory.getLogger(ChatApplication.class)
        .info("Open http://localhost:{}   (Ctrl-C to stop)", event.getWebServer().getPort());
  }
}
