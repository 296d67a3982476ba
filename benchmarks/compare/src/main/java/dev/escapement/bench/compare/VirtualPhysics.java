package dev.escapement.bench.compare;

import dev.escapement.physics.InlineDriver;

/**
 * A physics thread with a virtual clock of its own, simulated on the thread that draws. Before a frame it runs the ticks whose steps have
 * ended when the frame begins. So ticks are published at any virtual time, even in the middle of frames. If a tick and a frame begin at the
 * same time, the tick runs first.
 *
 * <pre>
 * physics   |=step=|        |====step====|    |==step==|
 * render    |draw|     |draw|     |draw|     |draw|
 * display   ^----------^----------^----------^---------- slots: each shows the frame begun in the previous slot
 * </pre>
 */
final class VirtualPhysics {

    private final InlineDriver driver;
    private final WorkClock clock;
    private final LoadProfile load;
    private long nextTick = 1;

    /** Simulates a physics thread. The driver's simulation must advance {@code clock} by the load's time in each step. */
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

    /** Runs the step that is in progress at {@code nanos}, if there is one. Returns the end of this step, or {@code nanos} without one. */
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
