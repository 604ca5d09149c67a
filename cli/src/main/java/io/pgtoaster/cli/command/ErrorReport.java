package io.pgtoaster.cli.command;

import io.pgtoaster.cli.exit.Diagnosis;
import io.pgtoaster.cli.exit.ExitCode;
import io.pgtoaster.cli.terminal.PrintableText;
import io.pgtoaster.cli.terminal.Secrets;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Reports errors in one or two lines on standard error. */
public record ErrorReport(Globals globals)
    implements IParameterExceptionHandler, IExecutionExceptionHandler {
  @Override
  public int handleParseException(ParameterException e, String[] args) {
    CommandLine line = e.getCommandLine();
    PrintWriter err = line.getErr();
    tell(err, Secrets.hide(String.valueOf(e.getMessage()), args));
    if (!UnmatchedArgumentException.printSuggestions(e, err)) {
      err.println("see " + line.getCommandSpec().qualifiedName() + " --help");
    }
    trace(err, e, args);
    return ExitCode.USAGE;
  }

  @Override
  public int handleExecutionException(Exception e, CommandLine line, ParseResult parsed) {
    if (Interruption.isUnderWay()) {
      return ExitCode.FAILED;
    }
    Diagnosis diagnosis = Diagnosis.of(e);
    tell(line.getErr(), Secrets.hide(diagnosis.message()));
    trace(line.getErr(), e);
    return diagnosis.exitCode();
  }

  private static void tell(PrintWriter err, String message) {
    List<String> lines = message.lines().map(PrintableText::of).toList();
    for (int i = 0; i < lines.size(); i++) {
      err.println((i == 0 ? "pgtoaster: " : "  ") + lines.get(i));
    }
  }

  private void trace(PrintWriter err, Exception e, String... args) {
    if (globals.verbose) {
      StringWriter text = new StringWriter();
      e.printStackTrace(new PrintWriter(text, true));
      Secrets.hide(text.toString(), args).lines().map(ErrorReport::printable).forEach(err::println);
    }
    err.flush();
  }

  /**
   * Returns a line of a stack trace with its indentation. Quoted text could contain terminal
   * control characters.
   */
  private static String printable(String line) {
    String rest = line.replaceFirst("^\t+", "");
    return "\t".repeat(line.length() - rest.length()) + PrintableText.of(rest);
  }
}
