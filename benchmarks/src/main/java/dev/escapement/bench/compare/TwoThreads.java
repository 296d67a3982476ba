package dev.escapement.bench.compare;

import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.state.time.TickRate;

/**
 * A physics thread and a render thread, played by one: while a step lets time pass, the frames that begin meanwhile are drawn in the
 * middle of it, from the real exchange. What begins at the same instant: the step first.
 *
 * <pre>
 * physics   |=step=|        |====step====|    |==step==|
 * render    |draw|     |draw|     |draw|     |draw|
 * display   ^----------^----------^----------^---------- slots: each shows the frame that was begun in the one before
 * </pre>
 */
public final class TwoThreads implements WorkClock {

    private final WorkClock.Virtual clock = new WorkClock.Virtual();
    private final VirtualDisplay display;
    private final boolean framesWaitForSteps;
    private Frames frames = (beginNanos, expectedNanos, slotNanos) -> {};
    private long nextFrameNanos;

    /** What is done with a frame. */
    @FunctionalInterface
    public interface Frames {
        /** A frame that begins at an instant, expects to be displayed at another and is displayed in a slot. */
        void frame(long beginNanos, long expectedNanos, long slotNanos);
    }

    /** Two threads without work; with {@code framesWaitForSteps}, a lock keeps frames out of steps. */
    public TwoThreads(VirtualDisplay display, boolean framesWaitForSteps) {
        this.display = display;
        this.framesWaitForSteps = framesWaitForSteps;
    }

    void run(ThreadPattern pattern, TickRate rate, ContestantMeter meter, long endNanos) {
        InlineDriver driver = PhysicsService.builder(pattern.simulation())
                .rate(rate)
                .windowSize(pattern.windowSize())
                .maxReaders(1)
                .inline(clock);
        Picture picture = pattern.picture().apply(driver.newReader());
        Frames measured = (beginNanos, expectedNanos, slotNanos) -> {
            picture.frame(beginNanos, expectedNanos);
            meter.frame(picture, slotNanos);
        };
        run(driver, rate, measured, endNanos);
    }

    /** Runs a driver on this clock, and what is done with the frames, until an instant. */
    public void run(InlineDriver driver, TickRate rate, Frames what, long endNanos) {
        frames = what;
        for (long tick = 1; rate.nanosAt(tick) < endNanos; tick++) {
            drawUntil(Math.max(clock.nanoTime(), rate.nanosAt(tick)));
            driver.runDueTicks();
        }
    }

    @Override
    public long nanoTime() {
        return clock.nanoTime();
    }

    /** Physics thread: frames are drawn meanwhile, but for those that wait. */
    @Override
    public void spend(long nanos) {
        if (framesWaitForSteps) {
            clock.spend(nanos);
        } else {
            drawUntil(clock.nanoTime() + nanos);
        }
    }

    private void drawUntil(long untilNanos) {
        while (nextFrameNanos < untilNanos) {
            long beginNanos = Math.max(nextFrameNanos, clock.nanoTime()); // later if it had to wait
            clock.spendUntil(beginNanos);
            long completeNanos = beginNanos + LoadProfile.DRAW_NANOS;
            long slotNanos = display.slotNanos(completeNanos + display.takeFreezeNanos(beginNanos));
            frames.frame(beginNanos, display.slotNanos(completeNanos), slotNanos); // a freeze is not foreseen
            nextFrameNanos = slotNanos;
        }
        clock.spendUntil(untilNanos);
    }
}
