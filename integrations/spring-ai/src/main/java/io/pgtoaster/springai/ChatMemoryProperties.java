package io.pgtoaster.springai;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of the chat memory.
 *
 * @param schema Schema of the table. By default the table is found on the search path.
 * @param table Table that stores conversations, one row each. If it is not set, there is no
 *     repository.
 * @param column Column of that table that stores the messages.
 * @param createTable Whether to create the table at startup, unless it exists.
 */
@ConfigurationProperties("pgtoaster.chat-memory")
record ChatMemoryProperties(
    @Nullable String schema,
    String table,
    @DefaultValue("conversation") String column,
    @DefaultValue("false") boolean createTable) {}
