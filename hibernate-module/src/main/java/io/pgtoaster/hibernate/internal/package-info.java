/** Attributes with content: their mapping, their owners, and their connections. */
@NullMarked
package io.pgtoaster.hibernate.internal;

import org.jspecify.annotations.NullMarked;
