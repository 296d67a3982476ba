package dev.escapement.bench.stress.world;

import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.physics.PhysicsService;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;

/** Checks {@link Promise#TICKS_GO_ON} while its caller holds what ticks might wait for. Any thread. */
public final class TicksGoOn {

    private static final int MORE_TICKS = 3;

    /** Long enough for those ticks, if nothing held them up. */
    private static final long PLANTED_NANOS = 100_000_000;

    private TicksGoOn() {}

    /**
     * Returns when all deadlines until now, and some more, were met or given up and counted, however long a busy machine takes for that. If
     * it is planted, ticks do wait for the caller.
     *
     * @param service one that was never paused nor restarted
     */
    public static void check(Trial trial, WatchedService service) {
        PhysicsService physics = service.service();
        boolean planted = trial.isPlanted(Promise.TICKS_GO_ON);
        CountDownLatch letGo = new CountDownLatch(planted ? 1 : 0);
        CompletableFuture<?> waiting = physics.command(tick -> {
            letGo.await();
            return tick;
        });
        long owed = service.deadlinesUntil(System.nanoTime()) + MORE_TICKS;
        BooleanSupplier paid = () -> service.published() + physics.givenUpTicks() >= owed;
        boolean goesOn = planted ? Patience.await(PLANTED_NANOS, paid) : Patience.await(paid);
        trial.check(Promise.TICKS_GO_ON)
                .that(
                        goesOn,
                        () -> "of " + owed + " deadlines, " + service.published() + " were met and "
                                + physics.givenUpTicks() + " given up");
        letGo.countDown();
        Patience.await(waiting::isDone);
    }
}
