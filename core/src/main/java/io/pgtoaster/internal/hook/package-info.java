/** Access to members that the types of the API do not show: shared by our own modules, not API. */
@NullMarked
package io.pgtoaster.internal.hook;

import org.jspecify.annotations.NullMarked;
