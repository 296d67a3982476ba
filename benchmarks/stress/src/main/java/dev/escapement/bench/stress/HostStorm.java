package dev.escapement.bench.stress;

import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.host.PhysicsHost;
import dev.escapement.physics.simulation.ForwardingSimulation;
import dev.escapement.physics.simulation.Movable;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.capture.PoseWriter;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The other worlds on a host. They are added and closed all the time; some throw, are slow, or hang. Checks that a closed world is gone,
 * and that all good worlds tick as long as one of them does. One thread replaces the worlds; any thread may close this object.
 */
final class HostStorm implements AutoCloseable {

    private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

    /**
     * A good world counts as starved after another one has run this many ticks without it. Fewer would prove nothing: if other programs use
     * the cores and a world's steps take long, the host lets the world wait for up to a hundred ticks.
     */
    private static final int UNTIL_STARVED = 300;

    private static final int BAD_EVERY = 8;

    private static final int LATEST_BAD_TICK = 200;
    private static final long WATCHDOG_MILLIS = 1_000;
    private static final int INPUTS = 16;

    /** How a world behaves towards the other worlds of its host. */
    private enum Kind {
        GOOD,
        THROWS,
        SLOW,
        /** A step does not return until the storm releases it. */
        HANGS;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private final Trial trial;
    private final PhysicsHost host;
    private final StressRun run;
    private final SplittableRandom random;
    private final Neighbour[] neighbours;
    private final Worker worker;
    private boolean plantedOne;

    /**
     * Adds {@code worlds} worlds to the host of a run, and from then on replaces them. If this throws, closing the host ends the worlds.
     */
    HostStorm(StressRun run, PhysicsHost host, int worlds, long seed) {
        this.run = run;
        this.host = host;
        trial = run.trial;
        random = new SplittableRandom(seed);
        neighbours = new Neighbour[worlds];
        for (int place = 0; place < worlds; place++) {
            neighbours[place] = add(place);
        }
        // Starts only when all worlds exist, because the memory of the process grows until then.
        worker = Worker.start("storm-worlds", this::comeAndGo);
    }

    private void comeAndGo(Worker self) {
        while (self.isRunning()) {
            int place = random.nextInt(neighbours.length);
            // A world that has missed ticks stays, so that its starvation can show.
            if (neighbours[place].missedTicks == 0) {
                replace(place);
            }
            compare();
            self.pause(random.nextLong(SECOND_NANOS / 50, SECOND_NANOS / 5));
        }
    }

    private Neighbour add(int place) {
        Simulation world = run.newWorld();
        Kind kind = place % BAD_EVERY == BAD_EVERY - 1 ? badKind(world) : Kind.GOOD;
        Neighbour added = new Neighbour(world, kind, 1 + random.nextInt(LATEST_BAD_TICK), trial);
        added.physics = host.add(PhysicsService.builder(added)
                .name("neighbour-" + place)
                .rate(run.rate())
                .maxReaders(1)
                .inputCapacity(INPUTS)
                .watchdog(WATCHDOG_MILLIS * (kind == Kind.HANGS ? 1 : 10))
                .onFailure(thrown -> {})); // replace() reads the failure instead
        if (trial.isPlanted(Promise.WORLDS_ONE_BY_ONE)) {
            added.enter("nothing"); // leaves the world occupied, so that the next call finds two threads in it
        }
        return added;
    }

    private Kind badKind(Simulation world) {
        // A slow or hanging world that is bound to its thread would block the other worlds that are bound to the same
        // thread.
        boolean mayTakeLong = world.capability(Movable.class).isPresent();
        return switch (random.nextInt(mayTakeLong ? 3 : 1)) {
            case 0 -> Kind.THROWS;
            case 1 -> Kind.SLOW;
            default -> Kind.HANGS;
        };
    }

    private static PhysicsService physics(Neighbour one) {
        return Objects.requireNonNull(one.physics);
    }

    private void replace(int place) {
        Neighbour old = neighbours[place];
        PhysicsService physics = physics(old);
        if (old.kind == Kind.GOOD || old.kind == Kind.SLOW) {
            physics.failure().ifPresent(thrown -> {
                throw new IllegalStateException("a " + old.kind + " world failed: " + thrown, thrown);
            });
        }
        if (random.nextBoolean()) { // else the service is closed while its world hangs
            old.release();
        }
        if (!trial.isPlanted(Promise.WORLDS_LEAVE) || plantedOne) {
            physics.close();
        }
        plantedOne = true;
        boolean isGone = Polling.await(() -> host.world(physics.name()).isEmpty());
        old.release(); // the host closes a hanging world only when its step returns
        trial.check(Promise.WORLDS_LEAVE)
                .that(
                        isGone && Polling.await(() -> old.closes.get() == 1),
                        () -> "after a " + old.kind + " world was closed, the host has " + host.world(physics.name())
                                + " of its name, and it was closed " + old.closes + " times");
        physics.close();
        neighbours[place] = add(place);
    }

    /** Checks that each good world has begun to tick and continues, so that the host has not forgotten it. */
    private void compare() {
        int fed = 0;
        for (Neighbour one : neighbours) {
            one.newTicks = one.ticks.get() - one.ticksBefore;
            one.ticksBefore += one.newTicks;
            fed = Math.max(fed, one.newTicks);
        }
        for (Neighbour one : neighbours) {
            one.missedTicks = one.newTicks > 0 || one.kind != Kind.GOOD ? 0 : one.missedTicks + fed;
            trial.check(Promise.WORLDS_ISOLATED)
                    .that(
                            one.missedTicks < UNTIL_STARVED,
                            () -> physics(one).name() + " had no tick while others had " + one.missedTicks + ": "
                                    + host.loads());
        }
        for (int place = 0; trial.isPlanted(Promise.WORLDS_ISOLATED) && place < neighbours.length / 2; place++) {
            physics(neighbours[place]).pause();
        }
    }

    Optional<Throwable> failure() {
        return worker.failure();
    }

    /** Closes the host and all its worlds. */
    @Override
    public void close() {
        try (host) {
            try {
                worker.close();
            } finally {
                for (Neighbour one : neighbours) {
                    one.release(); // else closing the host would wait for each hanging world
                }
            }
        }
        for (Neighbour one : neighbours) {
            trial.check(Promise.WORLDS_LEAVE)
                    .that(
                            Polling.await(() -> one.closes.get() == 1),
                            () -> physics(one).name() + " was not closed with its host");
        }
    }

    /**
     * A world beside others on a host, good or bad. Checks that its ticks come one after the other, that only one thread at a time is in
     * it, and that it is closed once. The host's threads call the methods of Simulation; any thread may call the others.
     */
    private static final class Neighbour extends ForwardingSimulation {

        private static final long SLOW_NANOS = TimeUnit.MILLISECONDS.toNanos(30);

        final Kind kind;
        private final long badTick;
        private final Check oneByOne;
        private final Check leaves;
        private final CountDownLatch released = new CountDownLatch(1);

        // If the host is right, one thread at a time writes these. They are atomic, so that the check also counts right
        // if the host is wrong.
        private final AtomicInteger inside = new AtomicInteger();
        final AtomicInteger ticks = new AtomicInteger();
        final AtomicInteger closes = new AtomicInteger();

        // Only the thread that compares the worlds uses the fields below.
        @Nullable
        PhysicsService physics;

        int ticksBefore;

        int newTicks;

        /** How many ticks another good world has run since this world's last tick. */
        int missedTicks;

        /** Wraps a world that throws, hangs or is slow from {@code badTick} on, unless it is good. */
        Neighbour(Simulation world, Kind kind, long badTick, Trial trial) {
            super(world);
            this.kind = kind;
            this.badTick = badTick;
            oneByOne = trial.check(Promise.WORLDS_ONE_BY_ONE);
            leaves = trial.check(Promise.WORLDS_LEAVE);
        }

        @Override
        public void step(Tick tick) throws Exception {
            enter("step");
            try {
                int expected = ticks.incrementAndGet();
                oneByOne.that(
                        tick.number() == expected,
                        () -> "a " + kind + " world ran tick " + tick.number() + " as its step number " + expected);
                if (tick.number() >= badTick) {
                    misbehave();
                }
                super.step(tick);
            } finally {
                inside.set(0);
            }
        }

        @Override
        public void capture(PoseWriter poses) throws Exception {
            enter("capture");
            super.capture(poses);
            inside.set(0); // need not be in a finally block, because a world that throws here has failed
        }

        void enter(String call) {
            oneByOne.that(
                    inside.getAndIncrement() == 0,
                    () -> "a thread called " + call + " of a " + kind + " world while another one was in it");
        }

        private void misbehave() throws Exception {
            switch (kind) {
                case THROWS -> throw new CommandStorm.Planned();
                case SLOW -> ThreadCounts.compute(SLOW_NANOS);
                case HANGS -> released.await();
                default -> {}
            }
        }

        void release() {
            released.countDown();
        }

        @Override
        public void close() {
            int times = closes.incrementAndGet();
            leaves.that(times == 1, () -> "a " + kind + " world was closed " + times + " times");
            enter("close");
            super.close();
        }
    }
}
