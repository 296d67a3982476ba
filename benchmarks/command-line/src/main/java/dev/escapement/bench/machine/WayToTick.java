package dev.escapement.bench.machine;

import dev.escapement.bench.measure.EmptySimulation;
import dev.escapement.bench.measure.TickTrace;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.PhysicsServiceBuilder;
import dev.escapement.physics.simulation.ForwardingSimulation;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.platform.linux.LinuxThreadPolicy;
import dev.escapement.platform.linux.TakenTime;
import dev.escapement.platform.linux.TimeWatch;
import dev.escapement.state.thread.ThreadGrants;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.Pacer;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.WaitStrategy;
import dev.escapement.state.time.Waiter;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.List;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/** The ways to tick at a steady rate, by name: Escapement's, and the usual ones. */
enum WayToTick {
    ESCAPEMENT("escapement"),
    /** With what any user may ask of Linux. */
    POLICY("escapement+policy"),
    PRIORITY("escapement+priority"),
    SCHEDULED_EXECUTOR("scheduled_executor"),
    THREAD_SLEEP("thread_sleep"),
    CYCLICTEST("cyclictest"),
    CYCLICTEST_PRIORITY("cyclictest+priority");

    /** The same for the service and for cyclictest. */
    private static final int REAL_TIME_PRIORITY = 10;

    /** High, so that within a second every method is called often enough to be compiled. */
    private static final TickRate WARM_UP_RATE = TickRate.hertz(4000);

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final String text;

    WayToTick(String text) {
        this.text = text;
    }

    /** How much processor time its steps take, each measured by itself. */
    List<Integer> stepsMicros() {
        return switch (this) {
            case ESCAPEMENT, POLICY, PRIORITY -> List.of(200, 1500, 4000);
            default -> List.of(0);
        };
    }

    /** Ticks for a time, often. Returns what the physics thread got of the system at the rate that is measured then. */
    ThreadGrants warmUp(TickRate rate, long nanos) {
        service(WARM_UP_RATE, nanos, 20, new TickTrace(0));
        return service(rate, 0, 0, new TickTrace(0));
    }

    /**
     * Ticks for a time, and measures how late steps start and end. Starts at a random moment: at most rates, the tick of the kernel's clock
     * then comes at the same places of all periods.
     */
    double[] run(TickRate rate, long nanos, int stepMicros) throws InterruptedException {
        LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(rate.nanosAt(1)));
        if (this == CYCLICTEST || this == CYCLICTEST_PRIORITY) {
            Histogram woken = Cyclictest.tickFor(rate, nanos, this == CYCLICTEST ? 0 : REAL_TIME_PRIORITY);
            return Lateness.ofRun(0, woken, woken);
        }
        TickTrace recorder = new TickTrace(nanos / 5); // threads start, margins are learned
        switch (this) {
            case SCHEDULED_EXECUTOR -> executor(rate, nanos, recorder);
            case THREAD_SLEEP -> sleep(rate, nanos, recorder);
            default -> service(rate, nanos, stepMicros, recorder);
        }
        if (recorder.lateness().histogram().getTotalCount() == 0) { // no core for the whole run: that late, or later
            recorder.ticked(1, 0, nanos, nanos, nanos);
        }
        return Lateness.ofRun(
                stepMicros,
                recorder.lateness().histogram(),
                recorder.publishDelay().histogram());
    }

    @Override
    public String toString() {
        return text;
    }

    /** Who takes time from its ticks, between when they are due and when they have ended. Escapement's ways only. */
    TakenTime delays(TickRate rate, long nanos, int stepMicros) {
        PhysicsService physics = builder(rate, stepMicros).build();
        TimeWatch watch = TimeWatch.start(physics.tickMetrics(), TimeWatch.Listener.NONE);
        try (watch;
                physics) {
            physics.start();
            await(physics, nanos);
        }
        return watch.all().fromTicks();
    }

    /** The whole physics service. */
    private ThreadGrants service(TickRate rate, long nanos, int stepMicros, TickTrace recorder) {
        try (PhysicsService physics = builder(rate, stepMicros).with(recorder).start()) {
            await(physics, nanos);
            return physics.stats().threadGrants();
        }
    }

    private static void await(PhysicsService physics, long nanos) {
        // Parks without spinning: the physics thread may need this core.
        new Pacer(NanoClock.system(), Waiter.system(), WaitStrategy.PARK_ONLY)
                .awaitUntil(physics.startedAtNanos() + nanos);
    }

    private PhysicsServiceBuilder builder(TickRate rate, int stepMicros) {
        Simulation work = new ForwardingSimulation(new EmptySimulation()) {
            @Override
            public void step(Tick tick) {
                long endNanos = THREADS.getCurrentThreadCpuTime() + stepMicros * 1000L;
                while (THREADS.getCurrentThreadCpuTime() < endNanos) {
                    // Time away from the core is no work.
                }
            }
        };
        PhysicsServiceBuilder builder = PhysicsService.builder(work).rate(rate);
        LinuxThreadPolicy precise = LinuxThreadPolicy.nothing().timerSlack(1);
        if (this == POLICY) {
            builder.threadPolicy(precise.slice(100_000));
        } else if (this == PRIORITY) {
            builder.threadPolicy(precise.realTimePriority(REAL_TIME_PRIORITY));
        }
        return builder;
    }

    /** {@link ScheduledThreadPoolExecutor#scheduleAtFixedRate}, which runs every tick, however late. */
    private static void executor(TickRate rate, long nanos, TickTrace recorder) throws InterruptedException {
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
            TimeUnit.NANOSECONDS.sleep(nanos);
        } finally {
            executor.shutdownNow();
        }
        if (!executor.awaitTermination(5, TimeUnit.SECONDS)) {
            throw new IllegalStateException("the executor still ran 5 s after its end");
        }
    }

    /** The usual loop of games: one sleep for the whole milliseconds left until the next tick. It skips missed ticks. */
    private static void sleep(TickRate rate, long nanos, TickTrace recorder) throws InterruptedException {
        long originNanos = System.nanoTime();
        long lastTick = rate.tickAt(nanos);
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
