package dev.escapement.bench.jmh;

import dev.escapement.bench.demo.JoltBodies;
import dev.escapement.bench.demo.Machine;
import dev.escapement.bench.demo.SpringSimulation;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.host.PhysicsHost;
import dev.escapement.physics.simulation.Movable;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.RecordedInput;
import dev.escapement.state.time.TickRate;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Measures one tick of many worlds on two threads. A host ticks them in lock step, with snapshots and everything else of a service. The
 * floor is a parallel loop over the bare simulations.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class HostStepBenchmark {

    private static final int THREADS = 2;
    private static final TickRate RATE = TickRate.hertz(100);

    /** The simulation of each world. */
    public enum Load {
        /** Ten masses on springs, whose steps take nearly no time, so that the cost of the host shows. */
        SPRINGS,
        JOLT;

        Simulation world() {
            return this == JOLT ? new JoltBodies(new Machine(50, false).scene(), 0) : new SpringSimulation(10);
        }
    }

    @State(Scope.Benchmark)
    public abstract static class Worlds {

        @Param
        Load load = Load.SPRINGS;

        @Param("1000")
        int worlds;

        final List<Simulation> simulations = new ArrayList<>();
    }

    /** Worlds that a host ticks in lock step. */
    @State(Scope.Benchmark)
    public static class Hosted extends Worlds {

        final List<PhysicsService> services = new ArrayList<>();

        @Nullable
        PhysicsHost host;

        @Setup
        public void create() {
            host = PhysicsHost.builder().threads(THREADS).lockStep(RATE).start();
            for (int i = 0; i < worlds; i++) {
                Simulation world = load.world();
                simulations.add(world);
                services.add(host.add(PhysicsService.builder(world).rate(RATE).maxReaders(1)));
            }
        }

        @TearDown
        public void close() {
            Objects.requireNonNull(host).close();
        }
    }

    /** Worlds of a host whose caller also acts on each world and reads its poses, as in reinforcement learning. */
    @State(Scope.Benchmark)
    public static class Learned extends Hosted {

        private final List<SnapshotReader> readers = new ArrayList<>();

        @Setup
        public void observe() {
            services.forEach(service -> readers.add(service.newReader()));
        }

        private void act() {
            long nowNanos = Objects.requireNonNull(host).clock().nanoTime();
            for (PhysicsService service : services) {
                if (!service.input().offer(nowNanos, InputKind.APPLICATION, 1, 1, 0)) {
                    throw new IllegalStateException("the ring of events is full; the service is " + service);
                }
            }
        }

        private int read() {
            int bits = 0;
            for (SnapshotReader reader : readers) {
                if (reader.acquire()) {
                    bits ^= PoseArrays.read(reader.window().newest().poses());
                }
            }
            return bits;
        }
    }

    /** The same simulations, stepped in a parallel loop without services. */
    @State(Scope.Benchmark)
    public static class Bare extends Worlds {

        private final ForkJoinPool pool = new ForkJoinPool(THREADS);
        private final RecordedInput none = new RecordedInput();

        /** By world: the thread that last stepped it. A step on another thread must first move the world to that thread. */
        private Thread[] owners = {};

        private long ticks;

        @Setup
        public void create() {
            owners = new Thread[worlds];
            for (int i = 0; i < worlds; i++) {
                simulations.add(load.world());
            }
        }

        private void step() {
            Tick tick = Tick.of(RATE, ++ticks, RATE.nanosAt(ticks), 0, none.frame(), false);
            pool.submit(() -> IntStream.range(0, worlds).parallel().forEach(i -> step(i, tick)))
                    .join();
        }

        private void step(int number, Tick tick) {
            try {
                own(number);
                simulations.get(number).step(tick);
            } catch (Exception e) {
                throw new IllegalStateException("world " + number + " failed in tick " + tick.number(), e);
            }
        }

        private void own(int number) throws Exception {
            Thread caller = Thread.currentThread();
            Simulation world = simulations.get(number);
            if (owners[number] == null) {
                world.begin();
            } else if (owners[number] != caller) {
                world.capability(Movable.class).orElseThrow().moveToCallingThread();
            }
            owners[number] = caller;
        }

        @TearDown
        public void close() throws Exception {
            pool.shutdown();
            for (int i = 0; i < worlds; i++) {
                own(i);
                simulations.get(i).close();
            }
        }
    }

    @Benchmark
    public void escapementTickAll(Hosted state) {
        Objects.requireNonNull(state.host).tickAll();
    }

    /** Runs a round of a learning loop: offers an action to each world, ticks all worlds, and reads all poses of each. */
    @Benchmark
    public int escapementRound(Learned state) {
        state.act();
        Objects.requireNonNull(state.host).tickAll();
        return state.read();
    }

    @Benchmark
    public void floorParallelLoop(Bare state) {
        state.step();
    }
}
