package io.pgtoaster.cli.content;

import io.pgtoaster.cli.command.Contents;
import io.pgtoaster.cli.terminal.PrintableText;
import java.util.List;
import picocli.CommandLine.Command;

/** Checks stored content. */
@Command(
    name = "verify",
    description = {
      "Check that stored content is intact: for blobs, that they have no gaps or overlaps, and"
          + " that checksums match if the column has them; for documents, that every stored row is in its"
          + " place, keys are in order, and counts are right.",
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
