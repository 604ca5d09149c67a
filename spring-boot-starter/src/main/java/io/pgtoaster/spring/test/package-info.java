/**
 * Databases for tests of Spring Boot applications: on a server in the JVM's care, or in a
 * container. What they use is optional: Spring's test support and {@code pgtoaster-embedded}, or
 * Testcontainers.
 */
@NullMarked
package io.pgtoaster.spring.test;

import org.jspecify.annotations.NullMarked;
