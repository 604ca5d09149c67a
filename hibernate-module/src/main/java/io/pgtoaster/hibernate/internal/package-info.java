/** Attributes with content: how they are mapped, whose they are, and what they are reached by. */
@NullMarked
package io.pgtoaster.hibernate.internal;

import org.jspecify.annotations.NullMarked;
