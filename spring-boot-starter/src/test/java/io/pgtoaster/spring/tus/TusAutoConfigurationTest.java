package io.pgtoaster.spring.tus;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.spring.boot.PgToasterAutoConfiguration;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.web.servlet.handler.SimpleUrlHandlerMapping;

/** Checks the beans under each condition, without a database. */
class TusAutoConfigurationTest {
  private static final AutoConfigurations CONFIGURATIONS =
      AutoConfigurations.of(PgToasterAutoConfiguration.class, TusAutoConfiguration.class);
  private static final String[] TABLE = {
    "pgtoaster.tus.enabled=true", "pgtoaster.tus.table=file", "pgtoaster.tus.column=content"
  };

  private final WebApplicationContextRunner web =
      new WebApplicationContextRunner()
          .withConfiguration(CONFIGURATIONS)
          .withBean(DataSource.class, PGSimpleDataSource::new)
          .withPropertyValues("pgtoaster.schema.initialize=never", "pgtoaster.schema.check=false");

  private record NoUploads(BlobColumn column) implements TusUploads {
    @Override
    public Object create(TusUpload upload) {
      return 1;
    }
  }

  @Test
  void byDefault_nothingIsConfigured() {
    web.run(c -> assertThat(c).doesNotHaveBean(SimpleUrlHandlerMapping.class));
  }

  @Test
  void enabledUploads_areMappedBeforeOtherPaths() {
    web.withPropertyValues(TABLE)
        .withPropertyValues("pgtoaster.tus.path=/up/loads/")
        .run(
            c -> {
              SimpleUrlHandlerMapping mapping = c.getBean(SimpleUrlHandlerMapping.class);
              assertThat(mapping.getOrder()).isNegative();
              assertThat(mapping.getUrlMap().keySet().stream().map(Object::toString))
                  .containsExactlyInAnyOrder("/up/loads", "/up/loads/", "/up/loads/{id}");
            });
  }

  @Test
  void withoutWeb_nothingIsConfigured() {
    new ApplicationContextRunner()
        .withConfiguration(CONFIGURATIONS)
        .withBean(DataSource.class, PGSimpleDataSource::new)
        .withPropertyValues("pgtoaster.schema.initialize=never", "pgtoaster.schema.check=false")
        .withPropertyValues(TABLE)
        .run(c -> assertThat(c).doesNotHaveBean(TusUploads.class));
  }

  @Test
  void withoutTable_startupFails_andNamesTheProperty() {
    web.withPropertyValues("pgtoaster.tus.enabled=true")
        .run(
            c ->
                assertThat(c)
                    .getFailure()
                    .rootCause()
                    .isInstanceOf(InvalidConfigurationPropertyValueException.class)
                    .hasMessageContaining("pgtoaster.tus.table"));
  }

  @Test
  void tooSmallPieces_failStartup_andNameTheProperty() {
    web.withPropertyValues(TABLE)
        .withPropertyValues("pgtoaster.tus.commit-every=10B")
        .run(
            c ->
                assertThat(c)
                    .getFailure()
                    .rootCause()
                    .isInstanceOf(InvalidConfigurationPropertyValueException.class)
                    .hasMessageContaining("pgtoaster.tus.commit-every"));
  }

  @Test
  void negativeSize_meansNoLimit() {
    web.withPropertyValues(TABLE)
        .withPropertyValues("pgtoaster.tus.max-size=-1")
        .run(
            c -> {
              TusHandler handler =
                  (TusHandler) c.getBean(SimpleUrlHandlerMapping.class).getUrlMap().get("/tus");
              MockHttpServletResponse response = new MockHttpServletResponse();
              handler.handleRequest(new MockHttpServletRequest("OPTIONS", "/tus"), response);
              assertThat(response.getHeader("Tus-Extension")).isNotNull();
              assertThat(response.getHeader("Tus-Max-Size")).isNull();
            });
  }

  @Test
  void bean_replacesTheTable() {
    PgToaster toaster = PgToaster.create(new PGSimpleDataSource());
    web.withPropertyValues("pgtoaster.tus.enabled=true")
        .withBean(TusUploads.class, () -> new NoUploads(toaster.blobs("a", "b")))
        .run(
            c -> {
              assertThat(c).hasNotFailed();
              assertThat(c.getBean(TusUploads.class)).isInstanceOf(NoUploads.class);
            });
  }

  @Test
  void uploadOfAUser_isPrivate() {
    TusUploads uploads = new NoUploads(PgToaster.create(new PGSimpleDataSource()).blobs("a", "b"));
    TusUpload anns = new TusUpload(new UUID(1, 1), null, 1L, Map.of(), "ann", false);
    TusUpload nobodys = new TusUpload(new UUID(1, 1), null, 1L, Map.of(), null, false);
    assertThat(uploads.permits(anns, () -> "ann")).isTrue();
    assertThat(uploads.permits(anns, () -> "bob")).isFalse();
    assertThat(uploads.permits(anns, null)).isFalse();
    assertThat(uploads.permits(nobodys, null)).isTrue();
    assertThat(uploads.permits(nobodys, () -> "bob")).isTrue();
  }
}
