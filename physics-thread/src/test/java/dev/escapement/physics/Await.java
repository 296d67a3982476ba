package dev.escapement.physics;

import dev.escapement.physics.simulation.ServiceState;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Waits for events. Every wait heeds the interrupt by which a test's timeout ends it. */
public final class Await {

    private Await() {}

    public static void until(BooleanSupplier event) throws InterruptedException {
        while (!event.getAsBoolean()) {
            if (Thread.interrupted()) {
                throw new InterruptedException("interrupted before the event");
            }
            Thread.onSpinWait();
        }
    }

    /** For what must not throw. */
    public static void open(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException timedOut) {
            throw new IllegalStateException("interrupted before the event", timedOut);
        }
    }

    public static void state(PhysicsService service, ServiceState state) throws InterruptedException {
        until(() -> service.state() == state);
    }

    public static <T> T get(CompletableFuture<T> future) throws Exception {
        return future.get(30, TimeUnit.SECONDS);
    }

    /** Why a future was not completed with an answer. */
    public static Throwable failure(CompletableFuture<?> future) throws Exception {
        return get(future.handle((answer, thrown) -> {
            if (thrown == null) {
                throw new AssertionError("was answered: " + answer);
            }
            return thrown;
        }));
    }

    /** Waits for the end of a tick after this one. */
    public static void tickAfter(PhysicsService service, long tick) throws Exception {
        while (get(service.query(now -> now)).tick() <= tick) {
            Thread.onSpinWait();
        }
    }
}
