/** Adds pgtoaster to an application when Quarkus builds it. */
@NullMarked
package io.pgtoaster.quarkus.deployment;

import org.jspecify.annotations.NullMarked;
