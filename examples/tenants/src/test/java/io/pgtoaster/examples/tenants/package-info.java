@NullMarked
package io.pgtoaster.examples.tenants;

import org.jspecify.annotations.NullMarked;
