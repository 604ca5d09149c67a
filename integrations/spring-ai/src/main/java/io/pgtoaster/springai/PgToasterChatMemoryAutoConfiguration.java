package io.pgtoaster.springai;

import io.pgtoaster.PgToaster;
import io.pgtoaster.column.ColumnName;
import io.pgtoaster.spring.boot.PgToasterAutoConfiguration;
import io.pgtoaster.spring.boot.PgToasterDataSource;
import org.springframework.ai.chat.memory.ChatMemoryRepository;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/** Stores chat memory in the table that {@code pgtoaster.chat-memory.table} names. */
@AutoConfiguration(
    after = PgToasterAutoConfiguration.class,
    beforeName =
        "org.springframework.ai.model.chat.memory.autoconfigure.ChatMemoryAutoConfiguration")
@ConditionalOnClass(ChatMemoryRepository.class)
@ConditionalOnProperty("pgtoaster.chat-memory.table")
@ConditionalOnSingleCandidate(PgToaster.class)
@EnableConfigurationProperties(ChatMemoryProperties.class)
public final class PgToasterChatMemoryAutoConfiguration {
  PgToasterChatMemoryAutoConfiguration() {}

  @Bean
  @ConditionalOnMissingBean(ChatMemoryRepository.class)
  PgToasterChatMemoryRepository pgToasterChatMemoryRepository(
      ChatMemoryProperties memory, PgToaster toaster, PgToasterDataSource source) {
    ColumnName column = new ColumnName(memory.schema(), memory.table(), memory.column());
    if (memory.createTable()) {
      PgToasterChatMemoryRepository.createTable(toaster, source.dataSource(), column);
    }
    return new PgToasterChatMemoryRepository(toaster, source.dataSource(), column);
  }
}
