package io.pgtoaster.benchmarks.harness;

import io.pgtoaster.benchmarks.server.Target;
import io.pgtoaster.benchmarks.trial.Cell;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** A JVM that measures one cell at a time: it reads and writes one line of JSON per cell. */
final class Worker implements Closeable {
  private final Process process;
  private final Path log;
  private final BufferedReader outcomes;

  private Worker(Process process, Path log) {
    this.process = process;
    this.log = log;
    this.outcomes = process.inputReader(StandardCharsets.UTF_8);
  }

  /** Starts a worker with the options of this JVM. */
  static Worker start(Target target) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.add(target.jvmArgument());
    command.add("-Xmx3g");
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Worker.class.getName()));
    Path log = Files.createTempFile("pgtoaster-bench-", ".log");
    log.toFile().deleteOnExit();
    return new Worker(new ProcessBuilder(command).redirectError(log.toFile()).start(), log);
  }

  /** Measures a cell. Do not use a worker again after a failure. */
  CellRunner.Outcome run(Cell cell) throws IOException {
    try {
      var cells = process.outputWriter(StandardCharsets.UTF_8);
      cells.write(JsonMapper.shared().writeValueAsString(cell));
      cells.newLine();
      cells.flush();
      String outcome = outcomes.readLine();
      if (outcome != null) {
        return JsonMapper.shared().readValue(outcome, CellRunner.Outcome.class);
      }
    } catch (IOException e) {
      // The process ended; its log contains the reason.
    }
    return new CellRunner.Outcome(null, Files.readString(log));
  }

  /** Ends the process, even during a cell. */
  @Override
  public void close() {
    process.destroy();
  }

  /** Measures cells from standard input until it is closed. */
  public static void main(String... arguments) throws IOException {
    PrintStream outcomes = System.out;
    System.setOut(System.err);
    CellRunner runner = new CellRunner(Target.current());
    BufferedReader cells =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    @Nullable String cell;
    while ((cell = cells.readLine()) != null) {
      CellRunner.Outcome outcome = runner.run(JsonMapper.shared().readValue(cell, Cell.class));
      outcomes.write(JsonMapper.shared().writeValueAsBytes(outcome));
      outcomes.write('\n');
      outcomes.flush();
    }
  }
}
