/** Conversations in documents, for the chat memories of other frameworks. */
@NullMarked
package io.pgtoaster.chatmemory;

import org.jspecify.annotations.NullMarked;
