package dev.escapement.physics;

import dev.escapement.physics.simulation.ServiceState;
import dev.escapement.state.Await;
import dev.escapement.state.time.ManualClock;
import java.util.concurrent.CountDownLatch;

/** Waits for events of a service, as {@link Await} does. */
public final class AwaitService {

    private AwaitService() {}

    public static void state(PhysicsService service, ServiceState state) {
        Await.until(() -> service.state() == state);
    }

    /**
     * Starts a service of 100 Hz that follows {@code clock}, and ticks it until it hangs. Then moves the clock until the watchdog has
     * failed it. Before that, the clock waits for each tick, so that no slow call seems to hang.
     *
     * @param hanging what the simulation counts down before it hangs
     */
    public static void hang(PhysicsService service, ManualClock clock, CountDownLatch hanging) {
        service.start();
        while (hanging.getCount() > 0) {
            long next = service.lastPublishedTick() + 1;
            clock.advance(10_000_000);
            Await.until(() -> service.lastPublishedTick() >= next || hanging.getCount() == 0);
        }
        Await.until(() -> {
            clock.advance(10_000_000);
            return service.state() == ServiceState.FAILED;
        });
    }

    /** Waits until the service has run a tick later than {@code tick}. */
    public static void tickAfter(PhysicsService service, long tick) throws Exception {
        while (Await.get(service.query(now -> now)).tick() <= tick) {
            Thread.onSpinWait();
        }
    }
}
