package dev.escapement.bench.report;

import me.tongfei.progressbar.DelegatingProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import picocli.CommandLine.Help.Ansi;

/** Shows the progress of a task: a moving bar on a terminal, a plain line every two seconds in a log. */
public final class ProgressLine {

    private static final int TERMINAL_MILLIS = 250;
    private static final int LOG_MILLIS = 2000;
    private static final int LOG_WIDTH = 100;

    private ProgressLine() {}

    /** A line for a task of {@code steps} steps; closing it ends it. */
    public static ProgressBar of(String task, long steps, String unit) {
        ProgressBarBuilder bar = ProgressBar.builder()
                .setTaskName(task)
                .setInitialMax(steps)
                .setUnit(unit, 1)
                .setUpdateIntervalMillis(TERMINAL_MILLIS);
        if (!Ansi.AUTO.enabled()) {
            bar.setUpdateIntervalMillis(LOG_MILLIS)
                    .continuousUpdate() // one step may take minutes
                    .setStyle(ProgressBarStyle.ASCII)
                    .setConsumer(new DelegatingProgressBarConsumer(System.err::println, LOG_WIDTH));
        }
        return bar.build();
    }
}
