package dev.escapement.bench.machine;

import dev.escapement.bench.measure.GivenUpTicks;
import dev.escapement.bench.measure.MachineWitness;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.ServiceState;
import dev.escapement.physics.Simulation;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.TickRate;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import java.util.function.LongFunction;

/** Finds the largest number that holds: doubles until one does not, then bisects, for a bounded time. One thread. */
final class Ramp {

    private static final int PARTS = 16;
    private static final int TRIES = 2;

    private final NanoClock clock;
    private final long mostNanos;
    private final Observer observer;

    /** Is told of every try: the number, and why it does not hold, empty if it does. */
    @FunctionalInterface
    interface Observer {
        void tried(long number, String why);
    }

    /** Prepares to try; no new try begins after so long. */
    Ramp(NanoClock clock, long mostNanos, Observer observer) {
        this.clock = clock;
        this.mostNanos = mostNanos;
        this.observer = observer;
    }

    /**
     * Tries numbers from the first on. One that fails is tried once more before that is believed: a machine may be disturbed for a moment.
     *
     * @param whyNot why a number does not hold, empty if it does
     * @return the largest that held, to a sixteenth; 0 if the first does not
     */
    long largest(long first, long most, LongFunction<String> whyNot) {
        long endNanos = clock.nanoTime() + mostNanos;
        long holds = 0;
        long fails = most + 1;
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
            boolean doubling = fails > most;
            next = doubling ? Math.min(most, 2 * holds) : fails - holds > holds / PARTS ? (holds + fails) >>> 1 : holds;
        }
        return holds;
    }

    private boolean holdsInTwo(long number, LongFunction<String> whyNot) {
        for (int i = 0; i < TRIES; i++) {
            String why = whyNot.apply(number);
            observer.tried(number, why);
            if (why.isEmpty()) {
                return true;
            }
        }
        return false;
    }

    /**
     * Runs a world for two seconds and tells whether time was given up.
     *
     * @param simulations worlds with so many bodies; each is used once
     */
    record Trial(IntFunction<Simulation> simulations) {

        /** What is given up while classes load says nothing of the world. */
        private static final long SETTLE_NANOS = 500_000_000;

        private static final long LENGTH_NANOS = 1_500_000_000;
        private static final long LOOK_NANOS = 5_000_000;

        /** Why it does not hold, empty if it does. */
        String run(int bodies, TickRate rate) {
            GivenUpTicks ticks = new GivenUpTicks(rate.nanosAt(1));
            long settledTick = rate.tickAt(SETTLE_NANOS);
            MachineWitness witness = MachineWitness.start();
            PhysicsService service = PhysicsService.builder(simulations.apply(bodies))
                    .rate(rate)
                    .preallocate(bodies + 1)
                    .onFailure(failure -> {}) // told in the line of the try
                    .listener((tick, dueNanos, startedNanos, steppedNanos, publishedNanos) -> {
                        if (tick >= settledTick) {
                            ticks.ticked(dueNanos, startedNanos, System.nanoTime());
                        }
                    })
                    .start();
            long settled;
            try (witness;
                    service) {
                await(service, SETTLE_NANOS, Long.MAX_VALUE);
                settled = service.givenUpTicks();
                await(service, LENGTH_NANOS, settled);
            }
            // Asked when it is closed: the tick that still ran may be the one that gives up.
            if (service.failure().isPresent()) {
                return String.valueOf(service.failure().get());
            }
            long givenUp = service.givenUpTicks() - settled;
            if (givenUp == 0) {
                return "";
            }
            long away = Math.min(givenUp, ticks.reasons(witness).machine());
            String apart =
                    away == 0 ? "" : String.format(Locale.ROOT, ", %,d of them while the machine was away", away);
            return String.format(Locale.ROOT, "gives up time: %,d ticks%s", givenUp, apart);
        }

        /** Until so long after the start, or more than so many ticks are given up, or the service has ended. */
        private static void await(PhysicsService service, long nanos, long mostGivenUp) {
            long endNanos = service.startedAtNanos() + nanos;
            while (System.nanoTime() - endNanos < 0
                    && service.givenUpTicks() <= mostGivenUp
                    && service.state() == ServiceState.RUNNING) {
                LockSupport.parkNanos(LOOK_NANOS);
            }
        }
    }
}
