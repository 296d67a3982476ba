package dev.escapement.bench.jmh;

import dev.escapement.bench.demo.JoltBodies;
import dev.escapement.bench.demo.Machine;
import dev.escapement.bench.demo.SpringSimulation;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.PhysicsServiceBuilder;
import dev.escapement.physics.host.PhysicsHost;
import dev.escapement.physics.simulation.ForwardingSimulation;
import dev.escapement.physics.simulation.LateTicks;
import dev.escapement.physics.simulation.Movable;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.physics.spi.TickHook;
import dev.escapement.physics.spi.TickTimes;
import dev.escapement.state.input.RecordedInput;
import dev.escapement.state.time.TickRate;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.AtomicHistogram;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Worlds that tick at 100 Hz side by side: how late they are, what they skip, and how many cores the process takes. Only the secondary
 * results count, and they are sums over iterations: run it with {@code -f 1 -wi 1 -w 1s -i 1 -r 4s}. A rogue does not count.
 */
@BenchmarkMode(Mode.Throughput)
public class WorldsBenchmark {

    private static final int THREADS = 2;
    private static final TickRate RATE = TickRate.hertz(100);
    private static final long PERIOD_NANOS = RATE.nanosAt(1);
    private static final long ROGUE_NANOS = 3 * PERIOD_NANOS;
    private static final long MAX_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final int SPRINGS = 10;
    private static final double GOLDEN_RATIO = 0.6180339887498949;

    /** The ways to tick many worlds in a process. All but the first two only step the simulations. */
    public enum Way {
        HOST,
        /** A service and so a thread for each world; not for thousands. */
        SERVICES,
        EXECUTOR,
        /** A virtual thread for each world, from JDK 21 on. */
        VIRTUAL,
        /** One thread steps all worlds in turn. */
        LOOP
    }

    /** What the worlds do in a tick. */
    public enum Load {
        /** Ten masses on springs. */
        IDLE,
        /** 50 bodies of Jolt; not for thousands of worlds. */
        LOADED,
        /** As idle, beside one more world whose steps take three periods. */
        ROGUE;

        Simulation world() {
            return this == LOADED ? new JoltBodies(new Machine(50, false).scene(), 0) : new SpringSimulation(SPRINGS);
        }
    }

    /** The worlds, and what they get. */
    @AuxCounters(AuxCounters.Type.EVENTS)
    @State(Scope.Thread)
    public static class Worlds {

        @Param
        Way way = Way.HOST;

        @Param
        Load load = Load.IDLE;

        @Param({"1", "10", "100", "1000"})
        int worlds;

        private final com.sun.management.OperatingSystemMXBean process =
                (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        private final AtomicHistogram lateness = new AtomicHistogram(MAX_NANOS, 2);
        private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        private final List<Runnable> ends = new ArrayList<>();
        private final List<Bare> bare = new CopyOnWriteArrayList<>(); // a loop goes over it while worlds are added
        private long beganCpuNanos;

        // Volatile: written by the benchmark's thread while worlds tick.
        private volatile long beganNanos = System.nanoTime();
        private volatile boolean isEnding;

        /** The 99th percentile of the time from when a tick was due until it began. */
        public double lateMicros() {
            return lateness.getValueAtPercentile(99) / 1e3;
        }

        /** Ticks of all worlds that were due and did not begin. */
        public double skippedTicks() {
            double due = (double) worlds * RATE.tickAt(System.nanoTime() - beganNanos);
            return Math.max(0, due - lateness.getTotalCount());
        }

        /** The processor time of the process over time. */
        public double cores() {
            return (double) (process.getProcessCpuTime() - beganCpuNanos) / (System.nanoTime() - beganNanos);
        }

        @Setup
        public void start() throws ReflectiveOperationException {
            PhysicsHost host =
                    way == Way.HOST ? PhysicsHost.builder().threads(THREADS).start() : null;
            ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(THREADS);
            if (host != null) {
                ends.add(host::close);
            }
            for (int i = 0; i < worlds; i++) {
                add(load.world(), i, host, executor);
            }
            if (load == Load.ROGUE) {
                add(new Rogue(), worlds, host, executor);
            }
            if (way == Way.LOOP) {
                Thread loop = new Thread(() -> tickAll(bare, System.nanoTime()), "worlds-loop");
                ends.add(() -> join(loop));
                loop.start();
            }
            ends.add(() -> end(executor));
            System.gc(); // otherwise the first collection copies all new worlds while it measures
        }

        private void add(Simulation world, int number, @Nullable PhysicsHost host, ScheduledThreadPoolExecutor executor)
                throws ReflectiveOperationException {
            if (host != null) {
                host.add(builder(world, number));
                return;
            } else if (way == Way.SERVICES) {
                ends.add(builder(world, number).start()::close);
                return;
            }
            Bare alone = new Bare(this, world, number);
            bare.add(alone);
            double part = number * GOLDEN_RATIO; // spread over the period, as a host spreads them
            long originNanos = System.nanoTime() + (long) ((part - Math.floor(part)) * PERIOD_NANOS);
            if (way == Way.EXECUTOR) {
                var unused = executor.scheduleAtFixedRate(
                        () -> alone.tick(originNanos + RATE.nanosAt(alone.ticks)),
                        originNanos - System.nanoTime(),
                        PERIOD_NANOS,
                        TimeUnit.NANOSECONDS);
            } else if (way == Way.VIRTUAL) {
                Runnable ticks = () -> tickAll(List.of(alone), originNanos);
                Object thread = Thread.class // compiled for JDK 17
                        .getMethod("startVirtualThread", Runnable.class)
                        .invoke(null, ticks);
                ends.add(() -> join((Thread) thread));
            }
        }

        private PhysicsServiceBuilder builder(Simulation world, int number) {
            return PhysicsService.builder(world)
                    .rate(RATE)
                    .lateTicks(LateTicks.catchUp(0)) // due times stay those of the other ways
                    .maxReaders(1)
                    .onFailure(cause -> failure.compareAndSet(null, cause))
                    .with(new TickHook() {
                        @Override
                        public void published(TickTimes times) {
                            ticked(number, times.dueNanos(), times.startedNanos());
                        }
                    });
        }

        private void ticked(int number, long dueNanos, long startedNanos) {
            if (number < worlds && dueNanos - beganNanos >= 0) {
                lateness.recordValue(Math.max(0, Math.min(MAX_NANOS, startedNanos - dueNanos)));
            }
        }

        /** Steps worlds together, and skips ticks that are late by a period. */
        private void tickAll(List<Bare> all, long originNanos) {
            long tick = 0;
            while (!isEnding) {
                tick = Math.max(tick, RATE.tickAt(Math.max(0, System.nanoTime() - originNanos))) + 1;
                long dueNanos = originNanos + RATE.nanosAt(tick);
                for (long left = dueNanos - System.nanoTime(); left > 0; left = dueNanos - System.nanoTime()) {
                    LockSupport.parkNanos(left);
                }
                all.forEach(world -> world.tick(dueNanos));
            }
        }

        @Setup(Level.Iteration)
        public void begin() {
            beganNanos = System.nanoTime();
            beganCpuNanos = process.getProcessCpuTime();
            lateness.reset();
        }

        void period() {
            LockSupport.parkNanos(PERIOD_NANOS);
            if (failure.get() != null) {
                throw new IllegalStateException("a world failed: " + failure.get(), failure.get());
            }
        }

        @TearDown
        public void close() {
            isEnding = true;
            ends.forEach(Runnable::run);
            bare.forEach(Bare::close);
        }

        private static void join(Thread thread) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                throw new IllegalStateException("interrupted while " + thread.getName() + " ended", e);
            }
        }

        private static void end(ScheduledThreadPoolExecutor executor) {
            executor.shutdownNow();
            while (!executor.isTerminated()) {
                LockSupport.parkNanos(PERIOD_NANOS);
            }
        }
    }

    /** A simulation without a service, stepped by one thread after the other. */
    private static final class Bare {

        private final Worlds worlds;
        private final Simulation simulation;
        private final int number;
        private final RecordedInput none = new RecordedInput();
        private @Nullable Thread owner;
        private long ticks;

        Bare(Worlds worlds, Simulation simulation, int number) {
            this.worlds = worlds;
            this.simulation = simulation;
            this.number = number;
        }

        void tick(long dueNanos) {
            long startedNanos = System.nanoTime();
            try {
                own();
                simulation.step(Tick.of(RATE, ++ticks, dueNanos, 0, none.frame(), false));
            } catch (Exception e) {
                worlds.failure.compareAndSet(null, e);
            }
            worlds.ticked(number, dueNanos, startedNanos);
        }

        private void own() throws Exception {
            Thread caller = Thread.currentThread();
            if (owner == null) {
                simulation.begin();
            } else if (owner != caller) {
                simulation.capability(Movable.class).orElseThrow().moveToCallingThread();
            }
            owner = caller;
        }

        void close() {
            try {
                own();
            } catch (Exception e) {
                throw new IllegalStateException("a world could not be moved to be closed", e);
            }
            simulation.close();
        }
    }

    private static final class Rogue extends ForwardingSimulation {

        Rogue() {
            super(new SpringSimulation(SPRINGS));
        }

        @Override
        public void step(Tick tick) throws Exception {
            long startedNanos = System.nanoTime();
            super.step(tick);
            while (System.nanoTime() - startedNanos < ROGUE_NANOS) {
                Thread.onSpinWait();
            }
        }
    }

    @Benchmark
    public void period(Worlds state) {
        state.period();
    }
}
