package dev.escapement.bench.soak;

import dev.escapement.bench.soak.NeighbourSimulation.Kind;
import dev.escapement.bench.stress.ledger.Failing;
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
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * The other worlds of a host: they come and go, and some of them throw, are slow, or hang. One thread of its own; any thread may close it.
 *
 * <p>Checks that a world that has ended is gone, and that all good worlds tick as long as one of them does.
 */
final class HostStorm implements Failing {

    /** How long a host may need for all its worlds after its close. */
    private static final long MAX_CLOSE_NANOS = 30_000_000_000L;

    private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** When the fastest world has had this number of ticks, and for so long, each of the others has had one. */
    private static final int MANY_TICKS = 30;

    private static final long MANY_TICKS_NANOS = 300_000_000;

    /** A world must have begun before it was compared this often. */
    private static final int UNTIL_BEGUN = 10;

    /**
     * A good world that was compared this often in a row, each time without a tick, is starved. Fewer show nothing: if other programs have the
     * cores, its steps take long, and its host then lets it wait for up to a hundred ticks.
     */
    private static final int UNTIL_STARVED = 5;

    /** What a comparison counts if the step of the world still runs, or its host calls it over its budget: it gets more time, but not all. */
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

    private static final class Neighbour {

        final NeighbourSimulation simulation;
        final PhysicsService physics;

        /** Its ticks at the last comparison; not above 0 if it was not there then, or had not ticked yet. */
        int ticksBefore = -1;

        /** At how many comparisons it was there and had not begun. */
        int notBegun;

        /** In how many comparisons in a row it had no tick. */
        double starved;

        Neighbour(NeighbourSimulation simulation, PhysicsService physics) {
            this.simulation = simulation;
            this.physics = physics;
        }
    }

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
            Polling.await(random.nextLong(SECOND_NANOS / 50, SECOND_NANOS / 5), () -> !self.isRunning());
        }
    }

    private Neighbour add(int place) {
        Simulation world = run.worlds().get();
        Kind kind = place % BAD_EVERY == BAD_EVERY - 1 ? badKind(world) : Kind.GOOD;
        NeighbourSimulation simulation =
                new NeighbourSimulation(world, kind, 1 + random.nextInt(LATEST_BAD_TICK), trial);
        PhysicsService physics = host.add(PhysicsService.builder(simulation)
                .name("neighbour-" + place)
                .rate(run.rate())
                .maxReaders(1)
                .inputCapacity(INPUTS)
                .watchdog(WATCHDOG_MILLIS * (kind == Kind.HANGS ? 1 : 10))
                .onFailure(thrown -> {})); // it is asked for when the world leaves
        if (trial.isPlanted(Promise.WORLDS_ONE_BY_ONE)) {
            simulation.enter("nothing"); // and does not leave
        }
        return new Neighbour(simulation, physics);
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

    /** Takes a world out, and adds another one under its name. */
    private void replace(int place) {
        Neighbour old = neighbours[place];
        NeighbourSimulation simulation = old.simulation;
        if (simulation.kind() == Kind.GOOD || simulation.kind() == Kind.SLOW) {
            old.physics.failure().ifPresent(thrown -> {
                throw new IllegalStateException("a " + simulation.kind() + " world failed: " + thrown, thrown);
            });
        }
        if (random.nextBoolean()) { // else it is closed while it hangs
            simulation.release();
        }
        if (!trial.isPlanted(Promise.WORLDS_LEAVE) || plantedOne) {
            old.physics.close();
        }
        plantedOne = true;
        boolean isGone = Polling.await(() -> host.world(old.physics.name()).isEmpty());
        simulation.release(); // one that hangs is closed when its step returns
        trial.check(Promise.WORLDS_LEAVE)
                .that(
                        isGone && Polling.await(() -> simulation.closes() == 1),
                        () -> "after a " + simulation.kind() + " world was closed, the host has "
                                + host.world(old.physics.name()) + " of its name, and it was closed "
                                + simulation.closes()
                                + " times");
        old.physics.close();
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
        if (most == null) {
            compareFromNow();
        } else if (ticked(most) >= MANY_TICKS && System.nanoTime() - comparedNanos >= MANY_TICKS_NANOS) {
            requireTicks(most);
            compareFromNow();
        }
    }

    private static boolean isCompared(Neighbour one) {
        return one.simulation.kind() == Kind.GOOD && one.ticksBefore > 0;
    }

    /** Each world begins, and each good one goes on: one that a host forgets has no ticks. */
    private void requireTicks(Neighbour fed) {
        for (Neighbour one : neighbours) {
            one.notBegun = one.simulation.hasBegun() ? 0 : one.notBegun + 1;
            boolean isStarved = isCompared(one) && ticked(one) == 0;
            one.starved = isStarved ? one.starved + (takesItsOwnTime(one) ? ITS_OWN_TIME : 1) : 0;
            trial.check(Promise.WORLDS_ISOLATED)
                    .that(
                            one.notBegun < UNTIL_BEGUN && one.starved < UNTIL_STARVED,
                            () -> one.physics.name() + (one.starved > 0 ? " had no tick (" : " did not begin (")
                                    + load(one) + "), while " + fed.physics.name() + " went on, at last for "
                                    + ticked(fed) + " ticks (" + load(fed) + ")");
        }
    }

    private void compareFromNow() {
        comparedNanos = System.nanoTime();
        for (int place = 0; place < neighbours.length; place++) {
            neighbours[place].ticksBefore = neighbours[place].simulation.ticks();
            if (trial.isPlanted(Promise.WORLDS_ISOLATED) && place < neighbours.length / 2) {
                neighbours[place].physics.pause();
            }
        }
    }

    /** Whether its step still runs, or it is over its budget: then it gets slower alone. Without a core good steps are long, too. */
    private boolean takesItsOwnTime(Neighbour one) {
        return one.simulation.isInside() || load(one).stream().anyMatch(WorldLoad::isOverBudget);
    }

    /** What its host says of it; empty if it has ended. */
    private List<WorldLoad> load(Neighbour one) {
        return host.loads().stream()
                .filter(load -> load.name().equals(one.physics.name()))
                .toList();
    }

    private static int ticked(Neighbour one) {
        return one.simulation.ticks() - one.ticksBefore;
    }

    @Override
    public Optional<Throwable> failure() {
        return worker.failure();
    }

    /** Closes the host, too: all worlds at its own pace. */
    @Override
    public void close() {
        try (host) {
            try {
                worker.close();
            } finally {
                for (Neighbour neighbour : neighbours) {
                    neighbour.simulation.release(); // else the host waits for each
                }
            }
        }
        long endNanos = System.nanoTime() + MAX_CLOSE_NANOS;
        for (Neighbour neighbour : neighbours) {
            boolean isClosed =
                    Polling.await(Math.max(0, endNanos - System.nanoTime()), () -> neighbour.simulation.closes() == 1);
            trial.check(Promise.WORLDS_LEAVE)
                    .that(isClosed, () -> neighbour.physics.name() + " was not closed with its host");
        }
    }
}
