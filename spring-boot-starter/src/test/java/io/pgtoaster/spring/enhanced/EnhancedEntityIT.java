package io.pgtoaster.spring.enhanced;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.hibernate.jsonb.KeyedJson;
import io.pgtoaster.spring.kit.TestDatabase;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.util.Map;
import java.util.UUID;
import org.hibernate.bytecode.enhance.spi.DefaultEnhancementContext;
import org.hibernate.bytecode.enhance.spi.UnloadedClass;
import org.hibernate.bytecode.enhance.spi.UnloadedField;
import org.hibernate.bytecode.internal.bytebuddy.BytecodeProviderImpl;
import org.hibernate.engine.spi.SelfDirtinessTracker;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** Repository fragments for entities with bytecode enhancement and lazy attributes. */
class EnhancedEntityIT {
  @AutoClose private static ConfigurableApplicationContext application;
  private static LectureRepository lectures;

  @SpringBootApplication
  static class Application {}

  @BeforeAll
  static void start() throws Exception {
    enhance();
    application =
        new SpringApplicationBuilder(Application.class)
            .web(WebApplicationType.NONE)
            .properties(TestDatabase.create().properties("spring.jpa.hibernate.ddl-auto=create"))
            .run();
    lectures = application.getBean(LectureRepository.class);
    assertThat(SelfDirtinessTracker.class).isAssignableFrom(Lecture.class);
  }

  /** Enhances the class before it is loaded, like the build of an application. */
  private static void enhance() throws IOException, IllegalAccessException {
    DefaultEnhancementContext context =
        new DefaultEnhancementContext() {
          @Override
          public boolean hasLazyLoadableAttributes(UnloadedClass entity) {
            return true;
          }

          @Override
          public boolean isLazyLoadable(UnloadedField field) {
            return true;
          }
        };
    String name = EnhancedEntityIT.class.getPackageName() + ".Lecture";
    try (InputStream in = EnhancedEntityIT.class.getResourceAsStream("Lecture.class")) {
      MethodHandles.lookup()
          .defineClass(
              new BytecodeProviderImpl().getEnhancer(context).enhance(name, in.readAllBytes()));
    }
  }

  private static Lecture.Id save() {
    Lecture.Id id = new Lecture.Id(UUID.randomUUID(), "monday");
    return lectures.save(new Lecture(id, KeyedJson.of(Map.of("topic", "x")))).id();
  }

  @Test
  void blob_isCreatedAppendedToAndRead() {
    Lecture.Id id = save();
    for (String attribute : new String[] {"audio", "slides"}) {
      lectures.append(id, attribute, new byte[] {1, 2});
      lectures.append(id, attribute, new byte[] {3});
      assertThat(lectures.read(id, attribute, 0, 10)).containsExactly(1, 2, 3);
    }
  }

  @Test
  void document_isPatched_andFoundByQuery() {
    Lecture.Id id = save();
    lectures.patch(id, "notes", notes -> notes.set("topic", "y"));
    assertThat(lectures.find(id, "notes", "topic", String.class)).hasValue("y");
  }
}
