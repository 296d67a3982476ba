package dev.escapement.bench.compare;

import dev.escapement.physics.InlineDriver;

/**
 * A physics thread on its own virtual clock, simulated on the thread that draws: before a frame it runs the ticks whose steps have ended by
 * then. So ticks may be published in the middle of frames. A tick that begins at the same instant as a frame runs first.
 *
 * <pre>
 * physics   |=step=|        |====step====|    |==step==|
 * render    |draw|     |draw|     |draw|     |draw|
 * display   ^----------^----------^----------^---------- slots: each shows the frame that was begun in the one before
 * </pre>
 */
final class VirtualPhysics {

    private final InlineDriver driver;
    private final WorkClock clock;
    private final LoadProfile load;
    private long nextTick = 1;

    /** Simulates a thread for a driver, whose simulation spends the time of the load on its clock. */
    VirtualPhysics(InlineDriver driver, WorkClock clock, LoadProfile load) {
        this.driver = driver;
        this.clock = clock;
        this.load = load;
    }

    void runUntil(long nanos) {
        while (startNanos() + load.costNanos(nextTick) <= nanos) {
            runTick();
        }
    }

    /** Runs the step that has begun by an instant, and returns the end of the step, or the instant if that is later. */
    long endOfStepAt(long nanos) {
        if (startNanos() <= nanos) {
            runTick();
        }
        return Math.max(nanos, clock.nanoTime());
    }

    private long startNanos() {
        return Math.max(clock.nanoTime(), driver.nextDueNanos());
    }

    private void runTick() {
        clock.spendUntil(startNanos());
        driver.runDueTicks(1);
        nextTick++;
    }
}
