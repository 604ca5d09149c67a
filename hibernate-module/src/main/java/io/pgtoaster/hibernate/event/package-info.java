/** What Hibernate tells of sessions, flushes and rows, and what is done with their content then. */
@NullMarked
package io.pgtoaster.hibernate.event;

import org.jspecify.annotations.NullMarked;
