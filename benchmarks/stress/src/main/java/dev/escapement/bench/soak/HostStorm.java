package dev.escapement.bench.soak;

import dev.escapement.bench.soak.Neighbour.Kind;
import dev.escapement.bench.stress.ledger.Polling;
import dev.escapement.bench.stress.ledger.Worker;
import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.host.PhysicsHost;
import dev.escapement.physics.host.WorldLoad;
import dev.escapement.physics.simulation.Movable;
import dev.escapement.physics.simulation.Simulation;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * The other worlds of a host: they come and go, and some of them throw, are slow, or hang. Checks that a world that has ended is gone, and
 * that all good worlds tick as long as one of them does. One thread of its own; any thread may close it.
 */
final class HostStorm implements AutoCloseable {

    private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** When the fastest world has had this number of ticks, and for so long, each of the others has had one. */
    private static final int MANY_TICKS = 30;

    private static final long MANY_TICKS_NANOS = 300_000_000;

    /** A world must have begun before it was compared this often. */
    private static final int UNTIL_BEGUN = 10;

    /**
     * A good world that was compared this often in a row, each time without a tick, is starved. Fewer show nothing: if other programs have
     * the cores, its steps take long, and its host then lets it wait for up to a hundred ticks.
     */
    private static final int UNTIL_STARVED = 5;

    /** Each comparison while the step of the world still runs, or its host calls it over its budget: it gets more time, but not all. */
    private static final double ITS_OWN_TIME = 0.25;

    /** Every eighth world is bad. */
    private static final int BAD_EVERY = 8;

    private static final int LATEST_BAD_TICK = 200;
    private static final long WATCHDOG_MILLIS = 1_000;
    private static final int INPUTS = 16;

    private final Trial trial;
    private final PhysicsHost host;
    private final Life.Run run;
    private final SplittableRandom random;
    private final Neighbour[] neighbours;
    private final Worker worker;
    private boolean plantedOne;
    private long comparedNanos = System.nanoTime();

    /** Adds this number of worlds to the host of a run, and lets them come and go. If this throws, they end with the host. */
    HostStorm(Life.Run run, PhysicsHost host, int worlds, long seed) {
        this.run = run;
        this.host = host;
        trial = run.trial();
        random = new SplittableRandom(seed);
        neighbours = new Neighbour[worlds];
        for (int place = 0; place < worlds; place++) {
            neighbours[place] = add(place);
        }
        worker = Worker.start(
                "storm-worlds", this::comeAndGo); // when all are there: before, the memory of the process grows
    }

    private void comeAndGo(Worker self) {
        while (self.isRunning()) {
            int place = random.nextInt(neighbours.length);
            if (neighbours[place].notBegun == 0 && neighbours[place].starved == 0) { // else it is watched
                replace(place);
            }
            compare();
            self.pause(random.nextLong(SECOND_NANOS / 50, SECOND_NANOS / 5));
        }
    }

    private Neighbour add(int place) {
        Simulation world = run.worlds().get();
        Kind kind = place % BAD_EVERY == BAD_EVERY - 1 ? badKind(world) : Kind.GOOD;
        Neighbour added = new Neighbour(world, kind, 1 + random.nextInt(LATEST_BAD_TICK), trial);
        added.physics = host.add(PhysicsService.builder(added)
                .name("neighbour-" + place)
                .rate(run.rate())
                .maxReaders(1)
                .inputCapacity(INPUTS)
                .watchdog(WATCHDOG_MILLIS * (kind == Kind.HANGS ? 1 : 10))
                .onFailure(thrown -> {})); // this asks for it when the world leaves
        if (trial.isPlanted(Promise.WORLDS_ONE_BY_ONE)) {
            added.enter("nothing"); // and does not leave
        }
        return added;
    }

    private Kind badKind(Simulation world) {
        // One that is bound to its thread would take it from others that are bound to it.
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

    /** Takes a world out, and adds another one under its name. */
    private void replace(int place) {
        Neighbour old = neighbours[place];
        PhysicsService physics = physics(old);
        if (old.kind == Kind.GOOD || old.kind == Kind.SLOW) {
            physics.failure().ifPresent(thrown -> {
                throw new IllegalStateException("a " + old.kind + " world failed: " + thrown, thrown);
            });
        }
        if (random.nextBoolean()) { // else it is closed while it hangs
            old.release();
        }
        if (!trial.isPlanted(Promise.WORLDS_LEAVE) || plantedOne) {
            physics.close();
        }
        plantedOne = true;
        boolean isGone = Polling.await(() -> host.world(physics.name()).isEmpty());
        old.release(); // one that hangs is closed when its step returns
        trial.check(Promise.WORLDS_LEAVE)
                .that(
                        isGone && Polling.await(() -> old.closes.get() == 1),
                        () -> "after a " + old.kind + " world was closed, the host has " + host.world(physics.name())
                                + " of its name, and it was closed " + old.closes + " times");
        physics.close();
        neighbours[place] = add(place);
    }

    /** Compares the ticks of the good worlds, once one of them has had {@value #MANY_TICKS}. */
    private void compare() {
        Neighbour most = null;
        for (Neighbour one : neighbours) {
            if (isCompared(one) && (most == null || ticked(one) > ticked(most))) {
                most = one;
            }
        }
        boolean isTime =
                most != null && ticked(most) >= MANY_TICKS && System.nanoTime() - comparedNanos >= MANY_TICKS_NANOS;
        if (most != null && isTime) {
            requireTicks(most);
        }
        if (most == null || isTime) {
            compareFromNow();
        }
    }

    private static boolean isCompared(Neighbour one) {
        return one.kind == Kind.GOOD && one.ticksBefore > 0;
    }

    private static int ticked(Neighbour one) {
        return one.ticks.get() - one.ticksBefore;
    }

    /** Each world begins, and each good one continues: one that a host forgets has no ticks. */
    private void requireTicks(Neighbour fed) {
        for (Neighbour one : neighbours) {
            one.notBegun = one.hasBegun ? 0 : one.notBegun + 1;
            boolean isStarved = isCompared(one) && ticked(one) == 0;
            one.starved = isStarved ? one.starved + (takesItsOwnTime(one) ? ITS_OWN_TIME : 1) : 0;
            trial.check(Promise.WORLDS_ISOLATED)
                    .that(
                            one.notBegun < UNTIL_BEGUN && one.starved < UNTIL_STARVED,
                            () -> physics(one).name() + (one.starved > 0 ? " had no tick " : " did not begin ")
                                    + load(one) + ", while another one had " + ticked(fed) + " ticks " + load(fed));
        }
    }

    private void compareFromNow() {
        comparedNanos = System.nanoTime();
        for (int place = 0; place < neighbours.length; place++) {
            neighbours[place].ticksBefore = neighbours[place].ticks.get();
            if (trial.isPlanted(Promise.WORLDS_ISOLATED) && place < neighbours.length / 2) {
                physics(neighbours[place]).pause();
            }
        }
    }

    /**
     * Returns whether its step still runs, or it is over its budget: then it gets slower alone. Without a core good steps are long, too.
     */
    private boolean takesItsOwnTime(Neighbour one) {
        return one.isInside() || load(one).stream().anyMatch(WorldLoad::isOverBudget);
    }

    /** Returns what its host says of it; empty if it has ended. */
    private List<WorldLoad> load(Neighbour one) {
        return host.loads().stream()
                .filter(load -> load.name().equals(physics(one).name()))
                .toList();
    }

    Optional<Throwable> failure() {
        return worker.failure();
    }

    /** Closes the host, too: all worlds at its own pace. */
    @Override
    public void close() {
        try (host) {
            try {
                worker.close();
            } finally {
                for (Neighbour one : neighbours) {
                    one.release(); // else the host waits for each
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
}
