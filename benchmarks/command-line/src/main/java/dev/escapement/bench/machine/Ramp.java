package dev.escapement.bench.machine;

import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.simulation.LateTicks;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.platform.linux.TimeWatch;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.Pacer;
import dev.escapement.state.time.TickRate;
import java.util.Locale;
import java.util.function.BiConsumer;
import java.util.function.IntFunction;
import java.util.function.LongFunction;

/**
 * Finds the largest number that holds: doubles until one does not, then bisects, for a bounded time. One thread.
 *
 * @param maxNanos no new try begins after this time
 * @param observer gets the number of each try, and why it does not hold, empty if it does
 */
record Ramp(NanoClock clock, long maxNanos, BiConsumer<Long, String> observer) {

    private static final int PARTS = 16;
    private static final int TRIES = 2;

    /**
     * Tries numbers from the first on. One that fails is tried twice: a machine may be disturbed for a moment.
     *
     * @param whyNot why a number does not hold, empty if it does
     * @return the largest that held, to a sixteenth; 0 if the first does not
     */
    long largest(long first, long max, LongFunction<String> whyNot) {
        long endNanos = clock.nanoTime() + maxNanos;
        long holds = 0;
        long fails = max + 1;
        long next = first;
        while (next > holds && next < fails && (holds == 0 || clock.nanoTime() - endNanos < 0)) {
            if (holdsInTwo(next, whyNot)) {
                holds = next;
            } else {
                fails = next;
                if (holds == 0) {
                    return 0;
                }
            }
            boolean doubling = fails > max;
            next = doubling ? Math.min(max, 2 * holds) : fails - holds > holds / PARTS ? (holds + fails) >>> 1 : holds;
        }
        return holds;
    }

    private boolean holdsInTwo(long number, LongFunction<String> whyNot) {
        for (int i = 0; i < TRIES; i++) {
            String why = whyNot.apply(number);
            observer.accept(number, why);
            if (why.isEmpty()) {
                return true;
            }
        }
        return false;
    }

    /** Runs a new world with a number of bodies for a second and a half, and returns whether time was skipped. */
    record Trial(IntFunction<Simulation> simulations) {

        /** The start does not count: classes load. */
        private static final long SETTLE_NANOS = 500_000_000;

        private static final long LENGTH_NANOS = 1_500_000_000;

        /** Why it does not hold, empty if it does. */
        String run(int bodies, TickRate rate) {
            PhysicsService service = PhysicsService.builder(simulations.apply(bodies))
                    .rate(rate)
                    .preallocate(bodies + 1)
                    .lateTicks(LateTicks.catchUp(0)) // what cannot be held is to be seen
                    .onFailure(failure -> {}) // reported in the line of the try
                    .build();
            TimeWatch watch = TimeWatch.start(service.tickMetrics(), TimeWatch.Listener.NONE);
            long settled;
            try (watch;
                    service) {
                service.start();
                Pacer.system().awaitUntil(service.startedAtNanos() + SETTLE_NANOS);
                settled = service.skippedTicks();
                if (service.failure().isEmpty()) {
                    Pacer.system().awaitUntil(service.startedAtNanos() + LENGTH_NANOS);
                }
            }
            // After close(): the last tick may be the one that skips.
            if (service.failure().isPresent()) {
                return String.valueOf(service.failure().get());
            }
            long skipped = service.skippedTicks() - settled;
            return skipped == 0
                    ? ""
                    : String.format(
                            Locale.ROOT,
                            "skips time: %,d ticks: %s",
                            skipped,
                            watch.lost().inPercent());
        }
    }
}
