package dev.escapement.bench.machine;

import dev.escapement.bench.machine.Lateness.Load;
import dev.escapement.bench.machine.Lateness.Trace;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.PhysicsServiceBuilder;
import dev.escapement.platform.linux.LinuxThreadPolicy;
import dev.escapement.state.thread.ThreadPolicy;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.Pacer;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.WaitStrategy;
import dev.escapement.state.time.Waiter;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/** The ways to tick at a steady rate, by name: Escapement's, and the usual ones. */
enum WayToTick {
    ESCAPEMENT("escapement"),
    /** With what any user may ask of the system. */
    POLICY("escapement+policy"),
    REAL_TIME("escapement+realtime"),
    SCHEDULED_EXECUTOR("scheduled_executor"),
    THREAD_SLEEP("thread_sleep"),
    CYCLICTEST("cyclictest"),
    CYCLICTEST_PRIORITY("cyclictest+priority");

    /** The same for the service and for cyclictest. */
    static final int PRIORITY = 10;

    private final String text;

    WayToTick(String text) {
        this.text = text;
    }

    /** How long its steps are, each measured by itself; 0 where it has none. */
    List<Integer> stepsMicros() {
        return switch (this) {
            case ESCAPEMENT, POLICY, REAL_TIME -> List.of(200, 1500, 4000);
            case SCHEDULED_EXECUTOR, THREAD_SLEEP -> List.of(200);
            case CYCLICTEST, CYCLICTEST_PRIORITY -> List.of(0);
        };
    }

    boolean isOfTheSystem() {
        return this == CYCLICTEST || this == CYCLICTEST_PRIORITY;
    }

    boolean needsPriority() {
        return this == REAL_TIME || this == CYCLICTEST_PRIORITY;
    }

    /** What it asks of the system for the physics thread. */
    Optional<ThreadPolicy> policy() {
        LinuxThreadPolicy precise = LinuxThreadPolicy.nothing().timerSlack(1);
        return switch (this) {
            case POLICY -> Optional.of(precise.slice(100_000));
            case REAL_TIME -> Optional.of(precise.realTimePriority(PRIORITY));
            default -> Optional.empty();
        };
    }

    /**
     * Ticks for a time, and measures how late steps start and end. Starts at a random moment: at most rates, the kernel's own tick then comes
     * at the same places of all periods.
     */
    Lateness run(Load load, TickRate rate, long nanos, int stepMicros, double roundNanos) throws InterruptedException {
        LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(rate.nanosAt(1)));
        if (isOfTheSystem()) {
            int priority = needsPriority() ? PRIORITY : 0;
            Histogram starts = Cyclictest.tickFor(rate, Math.max(1, TimeUnit.NANOSECONDS.toSeconds(nanos)), priority);
            return Lateness.of(load, this, stepMicros, starts, starts);
        }
        Trace trace = new Trace(stepMicros, nanos / 5);
        SteadyWork work = SteadyWork.of(stepMicros, roundNanos);
        switch (this) {
            case SCHEDULED_EXECUTOR -> executor(rate, nanos, work, trace);
            case THREAD_SLEEP -> sleep(rate, nanos, work, trace);
            default -> service(rate, nanos, work, trace);
        }
        if (trace.starts().getTotalCount() == 0) {
            throw new IllegalStateException(
                    this + " did not tick in " + nanos / 1_000_000 + " ms, which shows nothing");
        }
        return Lateness.of(load, this, stepMicros, trace.starts(), trace.ends());
    }

    @Override
    public String toString() {
        return text;
    }

    /** The whole physics service. */
    private void service(TickRate rate, long nanos, SteadyWork work, Trace trace) {
        PhysicsServiceBuilder builder = PhysicsService.builder(work).rate(rate).listener(trace);
        policy().ifPresent(builder::threadPolicy);
        try (PhysicsService physics = builder.start()) {
            // Parks without spinning: the physics thread may need this core.
            new Pacer(NanoClock.system(), Waiter.system(), WaitStrategy.PARK_ONLY)
                    .awaitUntil(physics.startedAtNanos() + nanos);
        }
    }

    /** {@link ScheduledThreadPoolExecutor#scheduleAtFixedRate}, which runs every tick, however late. */
    private static void executor(TickRate rate, long nanos, SteadyWork work, Trace trace) throws InterruptedException {
        ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1);
        try {
            executor.prestartAllCoreThreads();
            long originNanos = System.nanoTime();
            long[] number = {0};
            Runnable tick = () -> {
                number[0]++;
                tick(number[0], originNanos + rate.nanosAt(number[0]), System.nanoTime(), work, trace);
            };
            var unused = executor.scheduleAtFixedRate(tick, rate.nanosAt(1), rate.nanosAt(1), TimeUnit.NANOSECONDS);
            TimeUnit.NANOSECONDS.sleep(nanos);
        } finally {
            executor.shutdownNow();
        }
        if (!executor.awaitTermination(5, TimeUnit.SECONDS)) {
            throw new IllegalStateException("the executor still ran 5 s after its end");
        }
    }

    /** The usual loop of games: one sleep for the whole milliseconds left until the next tick. It skips missed ticks. */
    private static void sleep(TickRate rate, long nanos, SteadyWork work, Trace trace) throws InterruptedException {
        long originNanos = System.nanoTime();
        long lastTick = rate.tickAt(nanos);
        for (long tick = 1; tick <= lastTick; ) {
            long dueNanos = originNanos + rate.nanosAt(tick);
            Thread.sleep(Math.max(0, dueNanos - System.nanoTime()) / 1_000_000);
            long nowNanos = System.nanoTime();
            tick(tick, dueNanos, nowNanos, work, trace);
            tick = Math.max(tick, rate.tickAt(nowNanos - originNanos)) + 1;
        }
    }

    private static void tick(long number, long dueNanos, long nowNanos, SteadyWork work, Trace trace) {
        work.work();
        long earlyNanos = Math.max(0, dueNanos - nowNanos); // early is as wrong as late
        long steppedNanos = System.nanoTime();
        trace.ticked(number, dueNanos, nowNanos + 2 * earlyNanos, steppedNanos, steppedNanos);
    }
}
