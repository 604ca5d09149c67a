/** On a real server. */
package io.pgtoaster.langgraph4j;
