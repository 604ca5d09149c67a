/** A chat page: Spring AI's chat memory in documents, and streamed answers in blobs. */
@NullMarked
package io.pgtoaster.examples.chat;

import org.jspecify.annotations.NullMarked;
