package dev.escapement.bench.pacing;

import dev.escapement.bench.measure.GivenUpTicks;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.Pacer;
import dev.escapement.state.time.Pacing;
import dev.escapement.state.time.Waiting;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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

    /** Those that this machine can run. */
    static List<Contestant> available() {
        List<Contestant> all = new ArrayList<>(List.of(values()));
        if (Cyclictest.find().isEmpty()) {
            all.remove(CYCLICTEST);
        }
        return all;
    }

    /**
     * A new one, which has learned nothing yet.
     *
     * @param givenUp told of the ticks that a service gave up, when it has ended
     */
    Ticker create(Consumer<GivenUpTicks> givenUp) {
        return switch (this) {
            case ESCAPEMENT -> Ticker.service(Pacing.PARK_THEN_SPIN, givenUp);
            case ESCAPEMENT_PARK_ONLY -> Ticker.service(Pacing.PARK_ONLY, givenUp);
            case YIELD_INSTEAD_OF_SPIN -> Ticker.loop(yieldingPacer()::awaitUntil);
            case PARK_NANOS -> Ticker.loop(Contestant::parkUntil);
            case SCHEDULED_EXECUTOR -> Ticker.executor();
            case SLEEP_POLLING -> Ticker.loop(Contestant::pollUntil);
            case SLEEP_REST -> Ticker.loop(Contestant::sleepRest);
            case CYCLICTEST ->
                Cyclictest.find().orElseThrow(() -> new IllegalStateException("cyclictest is not on the PATH"));
        };
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
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
