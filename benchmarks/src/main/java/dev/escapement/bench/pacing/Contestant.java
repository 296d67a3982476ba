package dev.escapement.bench.pacing;

import dev.escapement.bench.measure.EmptySimulation;
import dev.escapement.bench.measure.GivenUpTicks;
import dev.escapement.bench.measure.TickRecorder;
import dev.escapement.physics.PhysicsService;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.Pacer;
import dev.escapement.state.time.Pacing;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.Waiting;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/** The ways to tick at a steady rate, by name. */
enum Contestant {
    ESCAPEMENT,
    ESCAPEMENT_PARK_ONLY,
    YIELD_INSTEAD_OF_SPIN,
    PARK_NANOS,
    SCHEDULED_EXECUTOR,
    SLEEP_POLLING,
    SLEEP_REST,
    CYCLICTEST;

    private static final int EXECUTOR_END_SECONDS = 5;

    /** Ticks in its own way, and measures how late it is. Used once, by one thread. */
    interface Ticker {

        /** Ticks for so long, at least 1 s. Once it has thrown because its thread was interrupted, nothing ticks any more. */
        Lateness tickFor(TickRate rate, int seconds) throws InterruptedException;
    }

    /** Passes the time until about a deadline, an instant of {@link System#nanoTime()}. */
    @FunctionalInterface
    interface DeadlineWait {
        void awaitUntil(long deadlineNanos) throws InterruptedException;
    }

    /** Those that this machine can run. */
    static List<Contestant> available() {
        return Arrays.stream(values())
                .filter(one -> one != CYCLICTEST || Cyclictest.find().isPresent())
                .toList();
    }

    /**
     * A new one, which has learned nothing yet.
     *
     * @param givenUp told of the ticks that a service gave up, when it has ended
     */
    Ticker create(Consumer<GivenUpTicks> givenUp) {
        return switch (this) {
            case ESCAPEMENT -> service(Pacing.PARK_THEN_SPIN, givenUp);
            case ESCAPEMENT_PARK_ONLY -> service(Pacing.PARK_ONLY, givenUp);
            case YIELD_INSTEAD_OF_SPIN -> loop(yieldingPacer()::awaitUntil);
            case PARK_NANOS -> loop(Contestant::parkUntil);
            case SCHEDULED_EXECUTOR -> executor();
            case SLEEP_POLLING -> loop(Contestant::pollUntil);
            case SLEEP_REST -> loop(Contestant::sleepRest);
            case CYCLICTEST ->
                Cyclictest.find().orElseThrow(() -> new IllegalStateException("cyclictest is not on the PATH"));
        };
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The whole physics service, with nothing to simulate. */
    private static Ticker service(Pacing pacing, Consumer<GivenUpTicks> givenUp) {
        return (rate, seconds) -> {
            TickRecorder recorder = Lateness.recorder(seconds);
            GivenUpTicks ticks = new GivenUpTicks(rate.nanosAt(1));
            try (PhysicsService physics = PhysicsService.builder(new EmptySimulation())
                    .rate(rate)
                    .pacing(pacing)
                    .listener((tick, dueNanos, startedNanos, steppedNanos, publishedNanos) -> {
                        recorder.ticked(tick, dueNanos, startedNanos, steppedNanos, publishedNanos);
                        ticks.ticked(dueNanos, startedNanos, System.nanoTime());
                    })
                    .start()) {
                // Parked without spinning: a core that waits here is one that the physics thread may need.
                new Pacer(NanoClock.system(), Waiting.system(), Pacing.PARK_ONLY)
                        .awaitUntil(physics.startedAtNanos() + TimeUnit.SECONDS.toNanos(seconds));
            }
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            givenUp.accept(ticks);
            return Lateness.of(recorder);
        };
    }

    /** {@link ScheduledThreadPoolExecutor#scheduleAtFixedRate}, which runs every tick, however late. */
    private static Ticker executor() {
        return (rate, seconds) -> {
            TickRecorder recorder = Lateness.recorder(seconds);
            ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1);
            try {
                executor.prestartAllCoreThreads();
                long originNanos = System.nanoTime();
                Runnable tick = new Runnable() {
                    private long number;

                    @Override
                    public void run() {
                        number++;
                        long startedNanos = System.nanoTime();
                        recorder.ticked(
                                number, originNanos + rate.nanosAt(number), startedNanos, startedNanos, startedNanos);
                    }
                };
                ScheduledFuture<?> ticking =
                        executor.scheduleAtFixedRate(tick, rate.nanosAt(1), rate.nanosAt(1), TimeUnit.NANOSECONDS);
                if (executor.awaitTermination(seconds, TimeUnit.SECONDS)) {
                    throw new IllegalStateException("the executor ended by itself");
                }
                ticking.cancel(false);
            } finally {
                executor.shutdownNow();
            }
            if (!executor.awaitTermination(EXECUTOR_END_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException(
                        "the executor still runs " + EXECUTOR_END_SECONDS + " s after it was shut down");
            }
            return Lateness.of(recorder);
        };
    }

    /** A loop on the calling thread that waits for one absolute deadline after the other and gives up what it missed. */
    static Ticker loop(DeadlineWait wait) {
        return (rate, seconds) -> {
            TickRecorder recorder = Lateness.recorder(seconds);
            long originNanos = System.nanoTime();
            long lastTick = rate.tickAt(TimeUnit.SECONDS.toNanos(seconds));
            long tick = 1;
            while (tick <= lastTick) {
                long dueNanos = originNanos + rate.nanosAt(tick);
                wait.awaitUntil(dueNanos);
                long nowNanos = System.nanoTime();
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                // Early is as wrong as late; only a single sleep for the rest of a frame ends early.
                long startedNanos = dueNanos + Math.abs(nowNanos - dueNanos);
                recorder.ticked(tick, dueNanos, startedNanos, startedNanos, startedNanos);
                tick = Math.max(tick, rate.tickAt(nowNanos - originNanos)) + 1;
            }
            return Lateness.of(recorder);
        };
    }

    /** Escapement's pacer, but where it spins, this gives the core away to any other thread that can run. */
    private static Pacer yieldingPacer() {
        return new Pacer(NanoClock.system(), new Waiting() {
            @Override
            public void park(long nanos) {
                Waiting.system().park(nanos);
            }

            @Override
            @SuppressWarnings("ThreadPriorityCheck") // its effect is to be shown
            public void spin() {
                Thread.yield();
            }
        });
    }

    /** Parks until the deadline, again if woken early. */
    private static void parkUntil(long deadlineNanos) {
        long restNanos;
        while ((restNanos = deadlineNanos - System.nanoTime()) > 0
                && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(restNanos);
        }
    }

    /** Looks at the clock every millisecond. */
    private static void pollUntil(long deadlineNanos) throws InterruptedException {
        while (deadlineNanos - System.nanoTime() > 0) {
            Thread.sleep(1);
        }
    }

    /** The usual sleep of game loops: once, for the whole milliseconds that are left of the frame. */
    private static void sleepRest(long deadlineNanos) throws InterruptedException {
        long restMillis = (deadlineNanos - System.nanoTime()) / 1_000_000;
        if (restMillis > 0) {
            Thread.sleep(restMillis);
        }
    }
}
