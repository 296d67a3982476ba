package dev.escapement.bench.loop;

import dev.escapement.state.time.TickRate;

/**
 * Steps of whole periods of the display; above a threshold one step with all the time that passed, so that the world keeps up with
 * the clock. What should have stopped a body on its way does not see it pass.
 */
public final class RealTimeOverloadLoop {

    private final SteppedWorld world;
    private final TickRate refresh;
    private final int mostPeriods;
    private long elapsedNanos;
    private long periodsDone;
    private long irregularSteps;

    /** A loop that steps this world by periods, and by everything above {@code mostPeriods} of them. */
    public RealTimeOverloadLoop(SteppedWorld world, TickRate refresh, int mostPeriods) {
        this.world = world;
        this.refresh = refresh;
        this.mostPeriods = mostPeriods;
    }

    /** A frame that took so long. */
    public void frame(long frameNanos) {
        elapsedNanos += frameNanos;
        long periods = refresh.tickAt(elapsedNanos) - periodsDone;
        periodsDone += periods;
        if (periods > mostPeriods) {
            irregularSteps++;
            world.step(periods * refresh.dtSeconds());
        } else {
            for (long period = 0; period < periods; period++) {
                world.step(refresh.dtSeconds());
            }
        }
    }

    /** How many steps were none of a constant length. */
    public long irregularSteps() {
        return irregularSteps;
    }
}
