package io.pgtoaster.spring.resource;

import io.pgtoaster.PgToaster;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;

/** Configures {@link BlobResources}. */
@AutoConfiguration(afterName = "io.pgtoaster.spring.boot.PgToasterAutoConfiguration")
@ConditionalOnSingleCandidate(PgToaster.class)
public final class BlobResourceAutoConfiguration {
  BlobResourceAutoConfiguration() {}

  @Bean
  @ConditionalOnMissingBean
  BlobResources blobResources(PgToaster toaster) {
    return new BlobResources(toaster);
  }
}
