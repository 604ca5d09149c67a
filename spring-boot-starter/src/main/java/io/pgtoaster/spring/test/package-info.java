/**
 * Databases for tests of Spring Boot applications: on a server that the JVM manages, or in a
 * container. Their dependencies are optional: Spring's test support and {@code pgtoaster-embedded},
 * or Testcontainers.
 */
@NullMarked
package io.pgtoaster.spring.test;

import org.jspecify.annotations.NullMarked;
