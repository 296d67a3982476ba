package dev.escapement.bench.jmh;

import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.PhysicsServiceBuilder;
import dev.escapement.physics.host.PhysicsHost;
import dev.escapement.physics.simulation.ForwardingSimulation;
import dev.escapement.physics.simulation.LateTicks;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.physics.spi.TickHook;
import dev.escapement.state.time.TickRate;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
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
 * Measures the load of many worlds that tick at 100 Hz side by side, either on the two threads of a host or as services with a thread each.
 * It reports how late ticks are, how many they skip, and how many cores the process takes. Only the secondary results count. JMH sums them
 * over iterations, so run a single one: {@code -f 1 -wi 1 -w 1s -i 1 -r 4s}. {@link HostStepBenchmark} measures the least cost of a tick.
 */
@BenchmarkMode(Mode.Throughput)
public class WorldsBenchmark {

    private static final TickRate RATE = TickRate.hertz(100);
    private static final long PERIOD_NANOS = RATE.nanosAt(1);
    private static final long ROGUE_NANOS = 3 * PERIOD_NANOS;
    private static final long MAX_NANOS = TimeUnit.MINUTES.toNanos(1);

    /** What the worlds simulate. */
    public enum Load {
        IDLE,
        LOADED,
        /** Worlds as in IDLE, beside one more world whose steps take three tick periods. The results leave this world out. */
        ROGUE
    }

    public static class Hosted extends Worlds {

        @Param({"100", "1000"})
        int worlds;

        @Setup
        public void create() {
            start(worlds, PhysicsHost.builder().threads(2).start());
        }
    }

    /** Worlds as services with a thread each. A thousand such threads would bring the machine down. */
    public static class Services extends Worlds {

        @Param("100")
        int worlds;

        @Setup
        public void create() {
            start(worlds, null);
        }
    }

    @AuxCounters(AuxCounters.Type.EVENTS)
    @State(Scope.Thread)
    public static class Figures {

        /** The 99th percentile of a tick's lateness: the time from its due time to its start. */
        public double lateMicros;

        /** The number of due ticks of all counted worlds that did not start. */
        public double skippedTicks;

        /** The processor time of the process, divided by the elapsed time. */
        public double cores;
    }

    @State(Scope.Thread)
    public abstract static class Worlds {

        @Param("IDLE")
        Load load = Load.IDLE;

        private int counted;
        private final com.sun.management.OperatingSystemMXBean process =
                (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        private final AtomicHistogram lateness = new AtomicHistogram(MAX_NANOS, 2);
        private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        private final List<PhysicsService> services = new ArrayList<>();
        private @Nullable PhysicsHost host;
        private long beganCpuNanos;

        /** When the measurement began. Volatile: written by the benchmark's thread, read by the threads that tick. */
        private volatile long beganNanos = System.nanoTime();

        final void start(int worlds, @Nullable PhysicsHost by) {
            counted = worlds;
            host = by;
            for (int i = 0; i < worlds; i++) {
                add((load == Load.LOADED ? HostStepBenchmark.Load.JOLT : HostStepBenchmark.Load.SPRINGS).world(), true);
            }
            if (load == Load.ROGUE) {
                add(new Rogue(HostStepBenchmark.Load.SPRINGS.world()), false);
            }
            System.gc(); // else the first collection would copy all new worlds during the measurement
        }

        private void add(Simulation world, boolean counts) {
            PhysicsServiceBuilder builder = PhysicsService.builder(world)
                    .rate(RATE)
                    .lateTicks(LateTicks.catchUp(0))
                    .maxReaders(1)
                    .onFailure(cause -> failure.compareAndSet(null, cause))
                    .with(new TickHook() {
                        @Override
                        public void published(TickHook.Times times) {
                            if (counts && times.dueNanos() - beganNanos >= 0) {
                                long lateNanos = times.startedNanos() - times.dueNanos();
                                lateness.recordValue(Math.max(0, Math.min(MAX_NANOS, lateNanos)));
                            }
                        }
                    });
            if (host != null) {
                host.add(builder);
            } else {
                services.add(builder.start());
            }
        }

        @Setup(Level.Iteration)
        public void begin() {
            beganNanos = System.nanoTime();
            beganCpuNanos = process.getProcessCpuTime();
            lateness.reset();
        }

        /** Lets the worlds tick for one period, and computes the results since the iteration began. */
        void measure(Figures figures) {
            LockSupport.parkNanos(PERIOD_NANOS);
            if (failure.get() != null) {
                throw new IllegalStateException("a world failed: " + failure.get(), failure.get());
            }
            long nanos = System.nanoTime() - beganNanos;
            double due = (double) counted * RATE.tickAt(nanos);
            figures.lateMicros = lateness.getValueAtPercentile(99) / 1e3;
            figures.skippedTicks = Math.max(0, due - lateness.getTotalCount());
            figures.cores = (double) (process.getProcessCpuTime() - beganCpuNanos) / nanos;
        }

        @TearDown
        public void close() {
            if (host != null) {
                host.close();
            }
            services.forEach(PhysicsService::close);
        }
    }

    private static final class Rogue extends ForwardingSimulation {

        Rogue(Simulation simulation) {
            super(simulation);
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
    public void host(Hosted worlds, Figures figures) {
        worlds.measure(figures);
    }

    @Benchmark
    public void services(Services worlds, Figures figures) {
        worlds.measure(figures);
    }
}
