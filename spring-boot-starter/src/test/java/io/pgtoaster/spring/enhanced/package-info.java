/** An application whose build enhances its entities. */
@NullMarked
package io.pgtoaster.spring.enhanced;

import org.jspecify.annotations.NullMarked;
