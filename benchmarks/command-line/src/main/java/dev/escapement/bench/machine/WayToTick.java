package dev.escapement.bench.machine;

import dev.escapement.bench.measure.Distribution.Summary;
import dev.escapement.bench.measure.EmptySimulation;
import dev.escapement.bench.measure.TickTrace;
import dev.escapement.physics.PhysicsService;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.Pacer;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.WaitStrategy;
import dev.escapement.state.time.Waiter;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The ways to tick at a steady rate, by name: Escapement's, and the usual ones. */
enum WayToTick {
    ESCAPEMENT,
    SCHEDULED_EXECUTOR,
    THREAD_SLEEP,
    CYCLICTEST;

    /** Those that this machine can run. */
    static List<WayToTick> available() {
        return Arrays.stream(values())
                .filter(way -> way != CYCLICTEST || Cyclictest.find().isPresent())
                .toList();
    }

    /** Ticks for a time of at least 1 s, and measures how late ticks start. */
    Summary tickFor(TickRate rate, int seconds) throws InterruptedException {
        if (this == CYCLICTEST) {
            return Cyclictest.tickFor(rate, seconds);
        }
        // The first fifth does not count: threads start, margins are learned.
        TickTrace recorder = new TickTrace(TimeUnit.SECONDS.toNanos(seconds) / 5);
        switch (this) {
            case ESCAPEMENT -> service(rate, seconds, recorder);
            case SCHEDULED_EXECUTOR -> executor(rate, seconds, recorder);
            default -> sleep(rate, seconds, recorder);
        }
        if (recorder.lateness().histogram().getTotalCount() == 0) {
            throw new IllegalStateException(this + " did not tick in " + seconds + " s, which shows nothing");
        }
        return recorder.lateness().summary();
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The whole physics service, with nothing to simulate. */
    private static void service(TickRate rate, int seconds, TickTrace recorder) {
        try (PhysicsService physics = PhysicsService.builder(new EmptySimulation())
                .rate(rate)
                .listener(recorder)
                .start()) {
            // Parks without spinning: the physics thread may need this core.
            new Pacer(NanoClock.system(), Waiter.system(), WaitStrategy.PARK_ONLY)
                    .awaitUntil(physics.startedAtNanos() + TimeUnit.SECONDS.toNanos(seconds));
        }
    }

    /** {@link ScheduledThreadPoolExecutor#scheduleAtFixedRate}, which runs every tick, however late. */
    private static void executor(TickRate rate, int seconds, TickTrace recorder) throws InterruptedException {
        ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1);
        try {
            executor.prestartAllCoreThreads();
            long originNanos = System.nanoTime();
            long[] number = {0};
            Runnable tick = () -> {
                number[0]++;
                long nowNanos = System.nanoTime();
                recorder.ticked(number[0], originNanos + rate.nanosAt(number[0]), nowNanos, nowNanos, nowNanos);
            };
            var unused = executor.scheduleAtFixedRate(tick, rate.nanosAt(1), rate.nanosAt(1), TimeUnit.NANOSECONDS);
            TimeUnit.SECONDS.sleep(seconds);
        } finally {
            executor.shutdownNow();
        }
        if (!executor.awaitTermination(5, TimeUnit.SECONDS)) {
            throw new IllegalStateException("the executor still ran 5 s after its end");
        }
    }

    /** The usual loop of games: one sleep for the whole milliseconds left until the next tick. It skips missed ticks. */
    private static void sleep(TickRate rate, int seconds, TickTrace recorder) throws InterruptedException {
        long originNanos = System.nanoTime();
        long lastTick = rate.tickAt(TimeUnit.SECONDS.toNanos(seconds));
        for (long tick = 1; tick <= lastTick; ) {
            long dueNanos = originNanos + rate.nanosAt(tick);
            Thread.sleep(Math.max(0, dueNanos - System.nanoTime()) / 1_000_000);
            long nowNanos = System.nanoTime();
            long startedNanos = dueNanos + Math.abs(nowNanos - dueNanos); // early is as wrong as late
            recorder.ticked(tick, dueNanos, startedNanos, startedNanos, startedNanos);
            tick = Math.max(tick, rate.tickAt(nowNanos - originNanos)) + 1;
        }
    }
}
