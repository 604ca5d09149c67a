package io.pgtoaster.cli.io;

import io.pgtoaster.cli.terminal.ByteSize;
import io.pgtoaster.cli.terminal.PrintableText;
import io.pgtoaster.cli.terminal.TextTable;
import io.pgtoaster.column.DocumentStat;
import io.pgtoaster.spi.AttachedColumn;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;

/** Facts about a document. */
public final class DocumentFacts {
  private DocumentFacts() {}

  public static void print(
      PrintWriter out, boolean json, String key, AttachedColumn column, DocumentStat stat) {
    Facts facts =
        new Facts()
            .add("key", key)
            .add("column", column.describe())
            .add("toaster", column.toaster())
            .add("split", stat.split())
            .add("raw_bytes", stat.rawBytes())
            .add("stored_bytes", stat.storedBytes())
            .add("inline_bytes", stat.inlineBytes())
            .add("inline_members", stat.inlineMembers())
            .add("split_members", stat.splitMembers())
            .add("leaves", stat.leaves())
            .add("inner_nodes", stat.innerNodes())
            .add("depth", stat.depth());
    if (json) {
      List<Map<String, Object>> largest =
          stat.largest().stream()
              .map(m -> Map.<String, Object>of("key", m.key(), "bytes", m.bytes()))
              .toList();
      facts.add("largest_split_members", largest);
    }
    facts.print(out, json);
    if (!json && !stat.largest().isEmpty()) {
      out.println("largest split members:");
      TextTable table = new TextTable("lr");
      stat.largest()
          .forEach(m -> table.row("  " + PrintableText.of(m.key()), ByteSize.format(m.bytes())));
      out.print(table);
      out.flush();
    }
  }
}
