/** What Hibernate tells about attributes with content, and what is done then. */
@NullMarked
package io.pgtoaster.hibernate.internal;

import org.jspecify.annotations.NullMarked;
