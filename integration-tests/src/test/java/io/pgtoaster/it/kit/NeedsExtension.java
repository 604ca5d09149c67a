package io.pgtoaster.it.kit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.condition.EnabledIf;

/** Marks tests of the C extension: skipped if it has not been built, except in CI. */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@EnabledIf(
    value = "io.pgtoaster.it.kit.PostgresServers#offersExtension",
    disabledReason = PostgresServers.NO_EXTENSION)
public @interface NeedsExtension {}
