package dev.escapement.state;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Waits for events. Every wait ends with an exception when a test's timeout interrupts the thread. */
public final class Await {

    private Await() {}

    /** Waits without a checked exception, so that lambdas can wait. The interrupt stays pending: it also ends the next wait. */
    public static void until(BooleanSupplier event) {
        while (!event.getAsBoolean()) {
            if (Thread.currentThread().isInterrupted()) {
                throw new IllegalStateException("interrupted before the event");
            }
            Thread.onSpinWait();
        }
    }

    /** Waits like {@code latch.await()}, where no checked exception may be thrown. */
    public static void open(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException timedOut) {
            throw new IllegalStateException("interrupted before the event", timedOut);
        }
    }

    public static <T> T get(CompletableFuture<T> future) throws Exception {
        return future.get(30, TimeUnit.SECONDS);
    }

    /** Returns why the future completed exceptionally. Fails if it has an answer. */
    public static Throwable failure(CompletableFuture<?> future) throws Exception {
        return get(future.handle((answer, thrown) -> {
            if (thrown == null) {
                throw new AssertionError("was answered: " + answer);
            }
            return thrown;
        }));
    }
}
