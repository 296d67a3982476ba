package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.stress.trial.Figure;
import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Scenario;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.bench.stress.world.AcquireTimes;
import dev.escapement.bench.stress.world.CheckingReader;
import dev.escapement.bench.stress.world.DoomedWorld;
import dev.escapement.bench.stress.world.FailureCheck;
import dev.escapement.bench.stress.world.Patience;
import dev.escapement.bench.stress.world.PredictableWorld;
import dev.escapement.bench.stress.world.Promises;
import dev.escapement.bench.stress.world.WatchedLife;
import dev.escapement.bench.stress.world.WatchedService;
import dev.escapement.bench.stress.world.Workers;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.time.TickRate;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Simulations that throw, most of them before there is a window of theirs, restarted without a pause, with readers that do not ask: what
 * came between the window they hold and the newest must cost neither memory nor time.
 */
final class CrashLoop implements Scenario {

    private static final long SEED = 20;
    private static final int BODIES = 1000;
    private static final long FPS = 144;
    private static final long TICK_HZ = 10_000; // for many lives
    private static final int READERS = 4;
    private static final int FEWEST_LIVES = 10;
    private static final int LONG_LIVES = 64; // with windows; in between, what succeeds each other grows long
    private static final long SHORTEST_TICKS = 1; // the last throws
    private static final long WINDOW_TICKS = 3;
    private static final long MOST_TICKS = 25;
    private static final long ASKS_EVERY_NANOS = 3_000_000_000L;
    private static final long LOOK_NANOS = 20_000_000;

    @Override
    public String name() {
        return "crash-loop";
    }

    @Override
    public String says() {
        return "simulations throw, mostly in one of their first three ticks, restarted at once; two readers do not ask";
    }

    @Override
    public Set<Promise> promises() {
        Set<Promise> promises = Promises.ofReaders(Promise.NUMBERED, Promise.CLOSED_ONCE, Promise.THREADS_END);
        promises.addAll(FailureCheck.PROMISES);
        return promises;
    }

    @Override
    public boolean delaysTicks() {
        return true; // the first of each life wait for its thread
    }

    @Override
    public void run(Trial trial) {
        PredictableWorld expected = new PredictableWorld(BODIES);
        RuntimeException cause = new IllegalArgumentException("thrown on purpose");
        WatchedLife first = new WatchedLife(doomed(MOST_TICKS, cause));
        try (WatchedService service = WatchedService.start(
                trial, first, builder -> builder.rate(TickRate.hertz(TICK_HZ)).maxReaders(READERS))) {
            service.readBy(expected, FPS);
            SnapshotReader asking = service.service().newReader();
            AcquireTimes times = new AcquireTimes(trial);
            Idle idle = new Idle(trial, service, expected);
            Workers.during(
                    2,
                    worker -> {
                        if (worker == 0) {
                            times.ask(asking);
                        } else {
                            idle.look();
                        }
                    },
                    () -> {
                        crash(trial, service, first, cause);
                        service.restart(new PredictableWorld(BODIES));
                        service.awaitEnd();
                    });
            times.report();
        }
    }

    private static void crash(Trial trial, WatchedService service, WatchedLife first, RuntimeException cause) {
        SplittableRandom random = new SplittableRandom(SEED);
        FailureCheck check = new FailureCheck(trial, service.service());
        WatchedLife life = first;
        long longNanos = System.nanoTime();
        long lives = 0;
        while (true) {
            check.awaitFailure(failure -> failure == cause);
            life.checkEnd(trial);
            lives++;
            if (!trial.goesOn() && lives >= FEWEST_LIVES) {
                break;
            }
            boolean isLong = System.nanoTime() - longNanos >= 0;
            longNanos += isLong ? trial.lengthNanos() / LONG_LIVES : 0;
            long ticks = isLong
                    ? random.nextLong(WINDOW_TICKS + 1, MOST_TICKS)
                    : random.nextLong(SHORTEST_TICKS, WINDOW_TICKS + 1);
            life = new WatchedLife(doomed(ticks, cause));
            service.restart(life);
        }
        trial.figure(Figure.info("simulations that threw", (double) lives, ""));
    }

    private static DoomedWorld doomed(long ticks, RuntimeException cause) {
        return new DoomedWorld(new PredictableWorld(BODIES), ticks, false, () -> {
            throw cause;
        });
    }

    /** Two readers that hold their window: one to the end, one asks now and then. One thread. */
    private static final class Idle {

        private final SnapshotReader keeping;
        private final CheckingReader keeper;
        private final CheckingReader asker;
        private long askNanos = System.nanoTime();

        Idle(Trial trial, WatchedService service, PredictableWorld expected) {
            keeping = service.service().newReader();
            keeper = new CheckingReader(trial, service::published, keeping, expected);
            asker = new CheckingReader(
                    trial, service::published, service.service().newReader(), expected);
        }

        void look() {
            if (keeping.hasWindow()) {
                keeper.checkHeld();
            } else {
                keeper.take();
            }
            if (System.nanoTime() - askNanos >= 0) {
                askNanos += asker.take() ? ASKS_EVERY_NANOS : 0; // until there is a window, at every look
            } else {
                asker.checkHeld();
            }
            Patience.pass(LOOK_NANOS);
        }
    }
}
