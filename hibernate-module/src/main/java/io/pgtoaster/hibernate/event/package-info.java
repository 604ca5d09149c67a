/** Handles Hibernate's events for sessions, flushes and rows, and writes content in response. */
@NullMarked
package io.pgtoaster.hibernate.event;

import org.jspecify.annotations.NullMarked;
