package dev.escapement.bench.worlds;

import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.PhysicsServiceBuilder;
import dev.escapement.physics.host.PhysicsHost;
import dev.escapement.physics.simulation.LateTicks;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.spi.TickHook;
import dev.escapement.physics.spi.TickTimes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.ObjIntConsumer;

/** The ways to tick many worlds in one process. */
enum Way {
    /** A host with two threads. */
    HOST,
    /** A service for each world, and so a thread. */
    SERVICES,
    /** An executor of two threads, with a periodic task for each world. */
    EXECUTOR,
    /** A virtual thread for each world. */
    VIRTUAL,
    /** One thread that steps all worlds, and then waits for the next period. */
    LOOP;

    private static final int THREADS = 2;
    private static final double GOLDEN_RATIO = 0.6180339887498949;

    /** Whether this JDK has it. */
    boolean isThere() {
        return this != VIRTUAL || VirtualThreads.ARE_THERE;
    }

    /** Starts without worlds. Main thread. */
    Ticking start(WorldsMeter meter) {
        Ticking ticking = new Ticking(meter);
        switch (this) {
            case HOST -> {
                PhysicsHost host = PhysicsHost.builder().threads(THREADS).start();
                ticking.ends.add(host::close);
                ticking.starter = (simulation, number) -> host.add(ticking.builder(simulation, number));
            }
            case SERVICES ->
                ticking.starter = (simulation, number) ->
                        ticking.ends.add(ticking.builder(simulation, number).start()::close);
            case EXECUTOR -> {
                ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(THREADS);
                ticking.ends.add(() -> end(executor));
                ticking.starter = (simulation, number) -> schedule(executor, ticking.bare(simulation, number), number);
            }
            case VIRTUAL ->
                ticking.starter = (simulation, number) -> {
                    List<BareWorld> world = List.of(ticking.bare(simulation, number));
                    long originNanos = originNanos(number);
                    ticking.join(
                            VirtualThreads.start(() -> BareWorld.tickAll(world, originNanos, ticking.stopped::get)));
                };
            case LOOP -> {
                Thread loop = new Thread(
                        () -> BareWorld.tickAll(ticking.bare, System.nanoTime(), ticking.stopped::get), "worlds-loop");
                ticking.join(loop);
                ticking.starter = ticking::bare;
                loop.start();
            }
        }
        return ticking;
    }

    /** When the time of a world begins: however many there are, their ticks are spread over the period, as a host spreads them. */
    private static long originNanos(int number) {
        double part = number * GOLDEN_RATIO;
        return System.nanoTime() + (long) ((part - Math.floor(part)) * WorldsMeter.PERIOD_NANOS);
    }

    private static void schedule(ScheduledThreadPoolExecutor executor, BareWorld world, int number) {
        long firstNanos = originNanos(number);
        Runnable tick = () -> world.tick(firstNanos + WorldsMeter.RATE.nanosAt(world.ticks()));
        var unused = executor.scheduleAtFixedRate(
                tick, firstNanos - System.nanoTime(), WorldsMeter.PERIOD_NANOS, TimeUnit.NANOSECONDS);
    }

    private static void end(ScheduledThreadPoolExecutor executor) {
        executor.shutdownNow();
        try {
            if (!executor.awaitTermination(5, TimeUnit.SECONDS)) {
                throw new IllegalStateException("the executor still ran 5 s after its end");
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted while the executor ended", e);
        }
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Worlds that tick. Main thread. */
    static final class Ticking implements AutoCloseable {

        private final WorldsMeter meter;
        private final List<BareWorld> bare = new CopyOnWriteArrayList<>(); // a loop goes over it while worlds are added
        private final List<Runnable> ends = new ArrayList<>();
        private final AtomicBoolean stopped = new AtomicBoolean();
        private ObjIntConsumer<Simulation> starter = (simulation, number) -> {};
        private int size;

        private Ticking(WorldsMeter meter) {
            this.meter = meter;
        }

        /** Adds a world, and starts it. */
        void add(Simulation simulation) {
            starter.accept(simulation, size++);
        }

        private PhysicsServiceBuilder builder(Simulation simulation, int number) {
            return PhysicsService.builder(simulation)
                    .rate(WorldsMeter.RATE)
                    .lateTicks(LateTicks.catchUp(0)) // due times stay those of the other ways
                    .maxReaders(1)
                    .onFailure(meter::failed)
                    .with(new TickHook() {
                        @Override
                        public void published(TickTimes times) {
                            meter.ticked(number, times.dueNanos(), times.startedNanos());
                        }
                    });
        }

        private BareWorld bare(Simulation simulation, int number) {
            BareWorld world = new BareWorld(simulation, number, meter);
            bare.add(world);
            return world;
        }

        private void join(Thread thread) {
            ends.add(() -> {
                try {
                    thread.join();
                } catch (InterruptedException e) {
                    throw new IllegalStateException("interrupted while " + thread.getName() + " ended", e);
                }
            });
        }

        /** Ends all ticking, and closes the simulations. */
        @Override
        public void close() {
            stopped.set(true);
            ends.forEach(Runnable::run);
            bare.forEach(BareWorld::close);
        }
    }
}
