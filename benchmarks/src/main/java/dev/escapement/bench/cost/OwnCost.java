package dev.escapement.bench.cost;

import dev.escapement.bench.demo.BoxPile;
import dev.escapement.bench.demo.JoltPile;

/**
 * What the service costs without the engine's calls. They stand between its own, body by body, so they cannot be timed apart
 * without timing the clock; instead, each tick of Jolt is played back at once by a simulation that has nothing to do but to
 * write the same poses. Jolt's step has just been through the caches, as it would have been in the tick itself.
 *
 * @param bodies       how many
 * @param moved        how many of them moved in a tick, on average
 * @param tickMicros   the whole tick with Jolt, median
 * @param ownMicros    the tick that was played back, median; its reading of the poses included
 * @param ratio        the one over the other, the median over the ticks
 * @param bytesPerTick what the played back ticks allocated
 */
record OwnCost(int bodies, double moved, double tickMicros, double ownMicros, double ratio, double bytesPerTick) {

    /** For the JIT compiler, and until the pile has fallen. */
    private static final int WARM_UP_TICKS = 500;

    /** As many as make a window, from which poses can be read. */
    private static final int FIRST_TICKS = 3;

    static OwnCost measure(int bodies, int ticks, Runnable progress) {
        PlayedBack playedBack = new PlayedBack(bodies);
        try (PushedWorld jolt = new PushedWorld(new JoltPile(new BoxPile(bodies)), bodies);
                PushedWorld own = new PushedWorld(playedBack, bodies)) {
            jolt.run(FIRST_TICKS);
            OwnCostMeter warmUp = new OwnCostMeter(WARM_UP_TICKS);
            warmUp.run(jolt, own, playedBack, progress);
            OwnCostMeter meter = new OwnCostMeter(ticks);
            meter.run(jolt, own, playedBack, progress);
            return meter.result(bodies);
        }
    }

    /** How often {@code progress} is told. */
    static int steps(int ticks) {
        return WARM_UP_TICKS + ticks;
    }
}
