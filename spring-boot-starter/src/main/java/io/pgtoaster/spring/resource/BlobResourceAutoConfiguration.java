package io.pgtoaster.spring.resource;

import io.pgtoaster.PgToaster;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.servlet.DispatcherServlet;

/** Configures {@link BlobResources}, and how Spring MVC sends a blob resource. */
@AutoConfiguration(afterName = "io.pgtoaster.spring.boot.PgToasterAutoConfiguration")
public final class BlobResourceAutoConfiguration {
  BlobResourceAutoConfiguration() {}

  @Bean
  @ConditionalOnSingleCandidate(PgToaster.class)
  @ConditionalOnMissingBean
  BlobResources blobResources(PgToaster toaster) {
    return new BlobResources(toaster);
  }

  /**
   * It is active even without a PgToaster bean, because {@link BlobResource#of} does not need one.
   */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(DispatcherServlet.class)
  @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
  static class Web {
    Web() {}

    @Bean
    ReturnedBlobAdvice returnedBlobAdvice() {
      return new ReturnedBlobAdvice();
    }

    @Bean
    ClientErrorsAdvice clientErrorsAdvice() {
      return new ClientErrorsAdvice();
    }
  }
}
