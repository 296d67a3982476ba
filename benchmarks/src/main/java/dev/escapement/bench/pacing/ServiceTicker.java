package dev.escapement.bench.pacing;

import dev.escapement.bench.measure.EmptySimulation;
import dev.escapement.bench.measure.TickRecorder;
import dev.escapement.physics.PhysicsService;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.Pacer;
import dev.escapement.state.time.Pacing;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.Waiting;
import java.util.concurrent.TimeUnit;

/** The whole physics service, with nothing to simulate. */
final class ServiceTicker implements Ticker {

    private final Pacing pacing;

    ServiceTicker(Pacing pacing) {
        this.pacing = pacing;
    }

    @Override
    public Lateness tickFor(TickRate rate, int seconds) throws InterruptedException {
        TickRecorder recorder = Lateness.recorder(seconds);
        try (PhysicsService physics = PhysicsService.builder(new EmptySimulation())
                .rate(rate)
                .pacing(pacing)
                .listener(recorder)
                .start()) {
            // Parked without spinning: a core that waits here is one that the physics thread may need.
            new Pacer(NanoClock.system(), Waiting.system(), Pacing.PARK_ONLY)
                    .awaitUntil(physics.startedAtNanos() + TimeUnit.SECONDS.toNanos(seconds));
        }
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        return Lateness.of(recorder);
    }
}
