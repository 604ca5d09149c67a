/** A {@link io.pgtoaster.PgToaster} bean for applications that use Quarkus. */
@NullMarked
package io.pgtoaster.quarkus;

import org.jspecify.annotations.NullMarked;
