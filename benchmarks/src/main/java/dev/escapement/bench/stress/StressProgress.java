package dev.escapement.bench.stress;

import dev.escapement.bench.report.ProgressLine;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import me.tongfei.progressbar.ProgressBar;

/** Shows which scenario runs and how far it is, in tenths of seconds, also when a single one runs for hours. */
final class StressProgress implements AutoCloseable {

    private static final long LOOK_MILLIS = 200;
    private static final double STEPS_PER_SECOND = 10;

    private final ProgressBar bar;
    private final long stepsEach;
    private final int scenarios;
    private final ScheduledExecutorService clock;
    private final ScheduledFuture<?> looking;
    private volatile Now now; // read by the looking thread: a record, so name and start belong together

    /** The scenario that runs. */
    private record Now(int before, long startedNanos) {}

    /** A line for so many scenarios of so many seconds. */
    StressProgress(String task, int scenarios, double seconds) {
        this.scenarios = scenarios;
        stepsEach = Math.max(1, Math.round(seconds * STEPS_PER_SECOND));
        now = new Now(0, System.nanoTime());
        bar = ProgressLine.of(task, stepsEach * scenarios, "");
        ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, work -> {
            Thread thread = new Thread(work, "stress-progress");
            thread.setDaemon(true);
            return thread;
        });
        clock = executor;
        looking = executor.scheduleWithFixedDelay(this::look, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** A scenario begins, the next one. */
    void begin(String name, int before) {
        now = new Now(before, System.nanoTime());
        bar.setExtraMessage(String.format(" %d/%d %s", before + 1, scenarios, name));
        look();
    }

    private void look() {
        Now seen = now;
        double seconds = (System.nanoTime() - seen.startedNanos) / 1e9;
        // A scenario that takes longer than the others waits at its end.
        bar.stepTo(stepsEach * seen.before + Math.min(stepsEach - 1, (long) (seconds * STEPS_PER_SECOND)));
    }

    @Override
    public void close() {
        looking.cancel(false);
        clock.shutdown();
        bar.stepTo(stepsEach * scenarios);
        bar.close();
    }
}
