/** Documents as attributes of entities. */
@NullMarked
package io.pgtoaster.hibernate.jsonb;

import org.jspecify.annotations.NullMarked;
