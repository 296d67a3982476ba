package dev.escapement.bench.machine;

import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.ServiceState;
import dev.escapement.physics.Simulation;
import dev.escapement.state.time.TickRate;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;

/** Runs a world for a moment and sees whether time was given up. */
final class RampTrial {

    /** What is given up while classes load says nothing of the world. */
    private static final long SETTLE_NANOS = 500_000_000;

    private static final long LENGTH_NANOS = 1_500_000_000;
    private static final long LOOK_NANOS = 5_000_000;

    private final IntFunction<Simulation> simulations;

    /** Tries worlds with so many bodies; each is used once. */
    RampTrial(IntFunction<Simulation> simulations) {
        this.simulations = simulations;
    }

    /** Why it does not hold, empty if it does. */
    String run(int bodies, TickRate rate) {
        PhysicsService service = PhysicsService.builder(simulations.apply(bodies))
                .rate(rate)
                .preallocate(bodies + 1)
                .start();
        long settled;
        try (service) {
            await(service, SETTLE_NANOS, Long.MAX_VALUE);
            settled = service.givenUpTicks();
            await(service, LENGTH_NANOS, settled);
        }
        // Asked when it is closed: the tick that still ran may be the one that gives up.
        if (service.failure().isPresent()) {
            return String.valueOf(service.failure().get());
        }
        long givenUp = service.givenUpTicks() - settled;
        return givenUp == 0 ? "" : String.format(Locale.ROOT, "gives up time: %,d ticks", givenUp);
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
