@NullMarked
package io.pgtoaster.examples.chat;

import org.jspecify.annotations.NullMarked;
