package dev.escapement.bench.compare;

import dev.escapement.bench.compare.Picture.AlphaRule;
import dev.escapement.bench.measure.Distribution;
import dev.escapement.bench.measure.Distribution.Summary;
import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.state.time.TickRate;
import java.nio.LongBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The animation errors that two loops of the comparison would have had in a recorded run: one draws the newest snapshot, and is compared
 * with the run's own time; the other is an accumulator that runs the same steps in its frames, and is compared with real time. A frame
 * begins in a slot in which the run showed a frame, and is shown in the next such slot after its end. {@code report.html} explains that.
 */
public record Baseline(Summary newestSnapshotErrorMicros, Summary usualLoopErrorMicros) {

    private static final int MIN_FRAMES = 20;

    /** These loops take only the contestant's speed of time from it. */
    private static final Case CASE = new Case(Contestant.NEWEST, LoadProfile.LIGHT, RefreshCase.FPS_144);

    /**
     * Computes the errors; returns null if the run was too short for that.
     *
     * @param steps for each tick, the length of its step and the instant of its publish
     * @param slots for each frame, the instant of its display and the simulated time at this instant
     */
    public static @Nullable Baseline of(TickRate rate, LongBuffer steps, LongBuffer slots) {
        int ticks = steps.remaining() / 2;
        if (ticks < 2 || slots.remaining() / 2 < MIN_FRAMES) {
            return null;
        }
        long fromNanos = slots.get(0);
        long untilNanos = steps.get(2 * ticks - 1);
        WorkClock clock = new WorkClock();
        WorkClock stepsClock = new WorkClock();
        GameLoops.Threads published = (loops, windowSize, drawing) -> {
            InlineDriver driver = PhysicsService.builder(loops.scene())
                    .rate(rate)
                    .windowSize(windowSize)
                    .maxReaders(1)
                    .inline(stepsClock);
            Picture picture = drawing.apply(driver.newReader());
            int[] tick = {0};
            return new GameLoop(picture, (beginNanos, displayNanos) -> {
                for (; tick[0] < ticks && steps.get(2 * tick[0] + 1) - fromNanos <= beginNanos; tick[0]++) {
                    stepsClock.spendUntil(driver.nextDueNanos());
                    driver.runDueTicks(1);
                }
                picture.frame(beginNanos, displayNanos);
                clock.spend(LoadProfile.DRAW_NANOS);
            });
        };
        Scene free = new Scene(tick -> 0, stepsClock);
        GameLoop newest = new GameLoops(CASE, rate, free, clock, published).twoLatest(AlphaRule.newest());
        WorkClock usualClock = new WorkClock();
        Scene same = new Scene(tick -> steps.get(2 * (int) ((tick - 1) % ticks)), usualClock);
        GameLoop usual = new GameLoops(CASE, rate, same, usualClock, published).blended(GameLoops.QUARTER_SECOND);
        return new Baseline(
                errors(newest, clock, slots, untilNanos, 1), errors(usual, usualClock, slots, untilNanos, 0));
    }

    /** Measures a loop. The true time of the slot in frame {@code i} is number {@code 2 i + trueTime} of {@code slots}. */
    private static Summary errors(GameLoop loop, WorkClock clock, LongBuffer slots, long untilNanos, int trueTime) {
        Distribution errors = new Distribution();
        int last = slots.remaining() / 2 - 1;
        for (int frame = 0; frame < last && slots.get(2 * frame) < untilNanos; ) {
            boolean hasTicks = loop.picture().shownSimNanos() > 0;
            long slotNanos = slots.get(2 * frame) - slots.get(0);
            long before = loop.picture().shownSimNanos() - slots.get(2 * frame + trueTime);
            loop.frame().draw(slotNanos, slotNanos);
            do {
                frame++;
            } while (frame < last && slots.get(2 * frame) - slots.get(0) < clock.nanoTime());
            clock.spendUntil(slots.get(2 * frame) - slots.get(0));
            if (hasTicks) {
                errors.record(Math.abs(loop.picture().shownSimNanos() - slots.get(2 * frame + trueTime) - before));
            }
        }
        return errors.summary();
    }
}
