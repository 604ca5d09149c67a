package io.pgtoaster.it.kit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.condition.EnabledIf;

/** Marks tests that need the distribution's PostgreSQL 15: skipped without it, except in CI. */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@EnabledIf(
    value = "io.pgtoaster.it.kit.PostgresServers#offersDistribution",
    disabledReason =
        "no PostgreSQL 15 with client tools and lz4 in /usr/lib/postgresql/15; to enable:"
            + " apt-get install postgresql-15")
public @interface NeedsDistribution {}
