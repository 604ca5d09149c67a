package io.pgtoaster.cli.terminal;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.time.Duration;
import java.util.Locale;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/** Shows a progress bar with rate and remaining time on standard error, if that is a terminal. */
public final class Progress implements AutoCloseable {
  private static final long MB = 1_000_000;

  private final @Nullable ProgressBar bar;

  private Progress(@Nullable ProgressBar bar) {
    this.bar = bar;
  }

  /**
   * Starts a progress bar.
   *
   * @param task name of the activity, in a word or two
   * @param total number of bytes, or -1 if unknown
   * @param quiet whether to show nothing
   * @return the progress, which must be closed
   */
  public static Progress start(String task, long total, boolean quiet) {
    return resume(task, 0, total, quiet);
  }

  /**
   * Starts a progress bar where an earlier run ended.
   *
   * @param task name of the activity, in a word or two
   * @param done number of bytes that are already done; not included in the rate
   * @param total number of bytes, or -1 if unknown
   * @param quiet whether to show nothing
   * @return the progress, which must be closed
   */
  public static Progress resume(String task, long done, long total, boolean quiet) {
    if (quiet || !Terminal.isTerminal(2)) {
      return new Progress(null);
    }
    return new Progress(
        new ProgressBarBuilder()
            .setTaskName(task)
            .setInitialMax(total)
            .startsFrom(done, Duration.ZERO)
            .setUnit(" MB", MB)
            .showSpeed(new DecimalFormat("0.0", DecimalFormatSymbols.getInstance(Locale.ROOT)))
            .setStyle(ProgressBarStyle.ASCII)
            .setUpdateIntervalMillis(200)
            .clearDisplayOnFinish()
            .setConsumer(new ConsoleProgressBarConsumer(System.err, Terminal.width() - 1))
            .build());
  }

  /**
   * Adds to the progress.
   *
   * @param bytes number of bytes done
   */
  public void add(long bytes) {
    if (bar != null) {
      bar.stepBy(bytes);
    }
  }

  /**
   * Shows a message after the bar.
   *
   * @param text the message, or an empty string
   * @return true if there is a bar
   */
  public boolean note(String text) {
    if (bar != null) {
      bar.setExtraMessage(text.isEmpty() ? "" : " " + text);
    }
    return bar != null;
  }

  /**
   * Counts the bytes that are read from a stream.
   *
   * @param in the stream
   * @return a stream that wraps it
   */
  public InputStream counting(InputStream in) {
    return new FilterInputStream(in) {
      @Override
      public int read() throws IOException {
        int b = super.read();
        add(b < 0 ? 0 : 1);
        return b;
      }

      @Override
      public int read(byte[] buffer, int from, int count) throws IOException {
        int n = super.read(buffer, from, count);
        add(Math.max(0, n));
        return n;
      }
    };
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
    }
  }
}
