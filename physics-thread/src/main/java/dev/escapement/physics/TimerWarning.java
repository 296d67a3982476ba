package dev.escapement.physics;

import dev.escapement.state.time.TimerResolution;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/** Logs a warning, once, if the machine's timer is too coarse for punctual ticks. Any thread. */
final class TimerWarning {

    private static final TimerWarning OF_THIS_JVM =
            new TimerWarning(TimerResolution::ofThisJvm, System.getLogger("dev.escapement.physics"));

    private final Supplier<TimerResolution> timer;
    private final System.Logger logger;

    // Decides which thread measures; nothing else is ordered by it.
    private final AtomicBoolean looked = new AtomicBoolean();

    TimerWarning(Supplier<TimerResolution> timer, System.Logger logger) {
        this.timer = timer;
        this.logger = logger;
    }

    static TimerWarning ofThisJvm() {
        return OF_THIS_JVM;
    }

    /** Measures the timer at the first call, which takes about a millisecond. */
    void warnOnce() {
        if (looked.compareAndSet(false, true)) {
            TimerResolution resolution = timer.get();
            if (resolution.isCoarse()) {
                logger.log(System.Logger.Level.WARNING, text(resolution));
            }
        }
    }

    private static String text(TimerResolution resolution) {
        return String.format(
                Locale.ROOT,
                "Ticks may be late: the clock moves in steps of %s us, the shortest park takes %s us. Use a finer timer"
                        + " (Windows: timeBeginPeriod; virtual machines: clock source tsc or kvm-clock).",
                micros(resolution.clockStepNanos()),
                micros(resolution.shortestParkNanos()));
    }

    private static String micros(long nanos) {
        return String.format(Locale.ROOT, "%.2f", nanos / 1e3);
    }
}
