package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.measure.Distribution;
import dev.escapement.bench.measure.Series;
import dev.escapement.bench.stress.scenario.FailureScenarios.FailingWorld;
import dev.escapement.bench.stress.trial.Figure;
import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Scenario;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.time.TickRate;
import java.util.SplittableRandom;

/**
 * Simulations that throw, most of them before there is a window of theirs, restarted without a pause, with readers that do not ask: what
 * came between the window they hold and the newest must cost neither memory nor time.
 */
final class CrashLoop {

    private static final long SEED = 20;
    private static final int BODIES = 1000;
    private static final long TICK_HZ = 10_000; // for many lives
    private static final int READERS = 4;
    private static final int FEWEST_LIVES = 10;
    private static final int LONG_LIVES = 64; // with windows; in between, what succeeds each other grows long
    private static final long WINDOW_TICKS = 3;
    private static final long MOST_TICKS = 25;
    private static final long ASKS_EVERY_NANOS = 3_000_000_000L;
    private static final long LOOK_NANOS = 20_000_000;
    private static final int PARTS = 128; // a median of the times to ask for each
    private static final int AT_ONCE = 64; // to read the clock takes as long as to ask

    private final SplittableRandom random = new SplittableRandom(SEED);
    private final RuntimeException cause = FailureScenarios.deliberate();
    private final Trial trial;
    private long nextLongNanos = System.nanoTime();

    private CrashLoop(Trial trial) {
        this.trial = trial;
    }

    static Scenario scenario() {
        return new Scenario(
                        "crash-loop",
                        "simulations throw, mostly in one of their first three ticks, restarted at once; two readers do not ask",
                        FailureScenarios.promises(Promise.THREADS_END),
                        trial -> new CrashLoop(trial).run())
                .delayingTicks(); // the first of each life wait for its thread
    }

    private void run() {
        PredictableWorld expected = new PredictableWorld(BODIES);
        FailingWorld first = throwing(MOST_TICKS);
        try (WatchedService service = new WatchedService(
                trial, first, builder -> builder.rate(TickRate.hertz(TICK_HZ)).maxReaders(READERS))) {
            service.readBy(expected, WatchedService.FPS);
            SnapshotReader asking = service.service().newReader();
            Series medians = trial.timeLine("acquire, ns");
            CheckingReader keeper = service.newReader(expected);
            CheckingReader asker = service.newReader(expected);
            Worker others = Worker.start(2, "stress-worker", (self, index) -> {
                if (index == 0) {
                    timeAsking(self, asking, medians);
                } else {
                    hold(self, keeper, asker);
                }
            });
            try (others) {
                FailureScenarios.restartAgainAndAgain(trial, service, first, cause, FEWEST_LIVES, this::nextLife);
                service.restart(new PredictableWorld(BODIES));
                service.awaitEnd();
            }
            double[] quarters = MemoryWatch.secondAndLastQuarter(medians);
            figure("acquire, early", quarters[0]);
            figure("acquire, late", quarters[1]);
        }
    }

    private void figure(String name, double nanos) {
        if (Double.isFinite(nanos)) {
            trial.figure(Figure.info(name, nanos, "ns"));
        }
    }

    private FailingWorld nextLife() {
        boolean isLong = System.nanoTime() - nextLongNanos >= 0;
        nextLongNanos += isLong ? trial.lengthNanos() / LONG_LIVES : 0;
        return throwing(isLong ? random.nextLong(WINDOW_TICKS + 1, MOST_TICKS) : random.nextLong(1, WINDOW_TICKS + 1));
    }

    private FailingWorld throwing(long ticks) {
        return new FailingWorld(BODIES, tick -> {}, ticks, false, cause);
    }

    /** Two readers hold their window: one to the end, one asks now and then. */
    private static void hold(Worker self, CheckingReader keeper, CheckingReader asker) {
        long askNanos = System.nanoTime();
        while (self.goesOn()) {
            keeper.keep();
            if (System.nanoTime() - askNanos >= 0) {
                askNanos += asker.take() ? ASKS_EVERY_NANOS : 0; // until there is a window, at every look
            } else {
                asker.checkHeld();
            }
            Polling.pass(LOOK_NANOS);
        }
    }

    /** Measures how long it takes to ask for a window while the trial runs. Mostly nothing has changed since the last time. */
    private void timeAsking(Worker self, SnapshotReader reader, Series medians) {
        long partNanos = trial.lengthNanos() / PARTS;
        long startNanos = System.nanoTime();
        long partEndNanos = startNanos + partNanos;
        Distribution part = new Distribution();
        while (self.goesOn()) {
            long beforeNanos = System.nanoTime();
            for (int i = 0; i < AT_ONCE; i++) {
                reader.acquire();
            }
            long nowNanos = System.nanoTime();
            part.record((nowNanos - beforeNanos) / AT_ONCE);
            if (nowNanos - partEndNanos >= 0) {
                medians.add((nowNanos - startNanos) / 1e9, part.summary().p50() * 1e3);
                part = new Distribution();
                partEndNanos = nowNanos + partNanos;
            }
        }
    }
}
