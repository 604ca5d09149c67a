/** Conversations in memory, and on a real server. */
package io.pgtoaster.chatmemory;
