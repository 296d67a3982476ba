package dev.escapement.bench.report;

import java.util.concurrent.atomic.AtomicReference;
import me.tongfei.progressbar.DelegatingProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import picocli.CommandLine.Help.Ansi;

/** Shows the progress of a task on stderr: a moving bar on a terminal, a plain line every five seconds in a log. */
public final class ProgressLine {

    private static final int TERMINAL_MILLIS = 250;
    private static final int TERMINAL_WIDTH = 79;
    private static final int LOG_MILLIS = 5000;
    private static final int LOG_WIDTH = 100;
    private static final String CLEAR = "\r\033[K";

    private static volatile boolean moving;

    private ProgressLine() {}

    /** Creates a line for a task of {@code steps} steps; closing it ends the line. Only one may be open at a time. */
    public static ProgressBar of(String task, long steps, String unit) {
        AtomicReference<String> last = new AtomicReference<>("");
        ProgressBarBuilder bar =
                ProgressBar.builder().setTaskName(task).setInitialMax(steps).setUnit(unit, 1);
        moving = Ansi.AUTO.enabled();
        return moving
                ? bar.setUpdateIntervalMillis(TERMINAL_MILLIS)
                        .setConsumer(new Moving())
                        .build()
                : bar.setUpdateIntervalMillis(LOG_MILLIS)
                        .continuousUpdate() // repeats the line even during a step of minutes
                        .setStyle(ProgressBarStyle.ASCII)
                        .setConsumer(new DelegatingProgressBarConsumer(
                                line -> {
                                    // The bar prints its last line twice.
                                    if (!line.equals(last.getAndSet(line))) {
                                        System.err.println(line);
                                    }
                                },
                                LOG_WIDTH))
                        .build();
    }

    /** Removes the bar until it is drawn again, so that other output does not continue its line. */
    public static void clear() {
        if (moving) {
            System.err.print(CLEAR);
        }
    }

    private static final class Moving extends DelegatingProgressBarConsumer {

        Moving() {
            // The cursor stays at the start of the line, so that other output overwrites the bar.
            super(line -> System.err.print(CLEAR + line + "\r"), TERMINAL_WIDTH);
        }

        @Override
        public void close() {
            System.err.println();
            moving = false;
        }
    }
}
