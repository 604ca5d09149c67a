/** Checkpoints of LangGraph4j in documents. */
@NullMarked
package io.pgtoaster.langgraph4j;

import org.jspecify.annotations.NullMarked;
