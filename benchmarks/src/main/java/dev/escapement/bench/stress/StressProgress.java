package dev.escapement.bench.stress;

import dev.escapement.bench.report.ProgressLine;
import java.util.Timer;
import java.util.TimerTask;
import me.tongfei.progressbar.ProgressBar;

/** Shows which scenario runs and how far it is, in tenths of seconds, also when a single one runs for hours. */
final class StressProgress implements AutoCloseable {

    private static final long LOOK_MILLIS = 200;
    private static final double STEPS_PER_SECOND = 10;

    private final ProgressBar bar;
    private final long stepsEach;
    private final int scenarios;
    private final Timer clock = new Timer("stress-progress", true);
    private volatile Now now; // read by the looking thread: a record, so name and start belong together

    private record Now(int before, long startedNanos) {}

    /** A line for so many scenarios of so many seconds. */
    StressProgress(String task, int scenarios, double seconds) {
        this.scenarios = scenarios;
        stepsEach = Math.max(1, Math.round(seconds * STEPS_PER_SECOND));
        now = new Now(0, System.nanoTime());
        bar = ProgressLine.of(task, stepsEach * scenarios, "");
        TimerTask looking = new TimerTask() {
            @Override
            public void run() {
                look();
            }
        };
        clock.schedule(looking, LOOK_MILLIS, LOOK_MILLIS);
    }

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
        clock.cancel();
        bar.stepTo(stepsEach * scenarios);
        bar.close();
    }
}
