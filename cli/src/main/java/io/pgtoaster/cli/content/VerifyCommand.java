package io.pgtoaster.cli.content;

import io.pgtoaster.cli.command.Contents;
import io.pgtoaster.cli.terminal.PrintableText;
import java.util.List;
import picocli.CommandLine.Command;

/** Checks stored content. */
@Command(
    name = "verify",
    description = {
      "Check that what is stored is whole: of blobs, no gap, no overlap, checksums where the column"
          + " has them; of documents, every stored row in its place, keys in order, counts right.",
      "Problems are written to standard output, and the exit code is 1 if there are any."
    })
public final class VerifyCommand extends EachContentCommand {
  @Override
  boolean work(Contents contents, List<String> row, String shownKey) {
    List<String> problems = contents.verify(row);
    problems.forEach(problem -> out().println(shownKey + ": " + PrintableText.of(problem)));
    return problems.isEmpty();
  }

  @Override
  String summary(Contents contents, int visited, int withProblems) {
    return contents.count(visited) + " verified, " + withProblems + " with problems";
  }
}
