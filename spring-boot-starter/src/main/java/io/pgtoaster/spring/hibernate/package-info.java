/** Entities of an application: their columns are attached when it starts. */
@NullMarked
package io.pgtoaster.spring.hibernate;

import org.jspecify.annotations.NullMarked;
