package dev.escapement.bench.stress;

import dev.escapement.physics.spi.TickHook;
import java.util.concurrent.TimeUnit;

/** A listener of ticks that now and then takes 2 to 15 ms for a tick. */
final class SlowListener implements Part {

    private static final long MIN_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int STEPS = 14;
    private static final int EVERY_TICKS = 150;

    SlowListener(Life unused) {}

    @Override
    public void published(TickHook.Times times) {
        if (times.publishedTick() % EVERY_TICKS == 0) {
            ThreadCounts.compute(MIN_NANOS + (times.publishedTick() / EVERY_TICKS * 7 % STEPS) * STEP_NANOS);
        }
    }
}
