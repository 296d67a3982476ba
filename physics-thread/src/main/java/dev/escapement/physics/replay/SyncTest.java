package dev.escapement.physics.replay;

import dev.escapement.physics.Divergence;
import dev.escapement.physics.Simulation;
import dev.escapement.physics.Tick;
import dev.escapement.physics.command.CommandHandlers;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.event.EventWriter;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Steps a simulation twice through every tick, from the same saved state with the same input, and compares the hashes. They differ in the
 * first tick that depends on something that {@link Restorable#save} does not save and that is not part of the tick: a random number, an
 * address, the time.
 *
 * <pre>{@code
 * SyncTest test = SyncTest.of(new MyRestorableWorld());
 * InlineDriver driver = PhysicsService.builder(test).inline(clock);
 * ...
 * test.divergence().ifPresent(System.out::println);
 * }</pre>
 *
 * <p>It is a simulation itself, for any service or driver, live, recorded or replayed. Contacts are reported as after a restore: some may
 * be missing.
 */
public final class SyncTest implements Simulation {

    private final Simulation simulation;
    private final Restorable restorable;
    private final @Nullable AllBodies once;
    private final @Nullable AllBodies again;
    private final StateBuffer saved = new StateBuffer();

    // Volatile accesses: a thread that sees the difference sees all of it.
    private final AtomicReference<@Nullable Divergence> divergence = new AtomicReference<>();

    private SyncTest(Simulation simulation, Restorable restorable) {
        this.simulation = simulation;
        this.restorable = restorable;
        BodyStates bodies = simulation instanceof BodyStates states ? states : null;
        once = bodies == null ? null : new AllBodies(bodies);
        again = bodies == null ? null : new AllBodies(bodies);
    }

    /**
     * Prepares to test a simulation.
     *
     * @param simulation the simulation to test; closed with this
     * @param <S>        a simulation that can save and restore its state
     * @return the simulation, stepped twice each tick
     */
    public static <S extends Simulation & Restorable> SyncTest of(S simulation) {
        return new SyncTest(simulation, simulation);
    }

    @Override
    public void begin() throws Exception {
        simulation.begin();
    }

    @Override
    public void step(Tick tick) throws Exception {
        long before = simulation.hash();
        saved.clear();
        restorable.save(saved);
        simulation.step(tick);
        long first = simulation.hash();
        read(once);
        saved.rewind();
        restorable.restore(saved);
        compare(tick.number() - 1, before, simulation.hash(), false);
        simulation.step(tick);
        compare(tick.number(), first, simulation.hash(), true);
    }

    /** Notes the first difference of hashes. Names the body only if {@code comparable}: then both states are of the same tick. */
    private void compare(long tick, long first, long second, boolean comparable) {
        if (first == second || divergence.get() != null) {
            return;
        }
        int body = Divergence.UNKNOWN;
        String component = "";
        if (comparable && once != null && again != null) {
            again.read();
            body = once.firstDifferentBody(again);
            component = once.firstDifferentComponent(body, again);
        }
        divergence.set(
                new Divergence(tick, first, second, BodyDigests.groupOf(body), body, component, Divergence.UNKNOWN));
    }

    private void read(@Nullable AllBodies bodies) {
        if (bodies != null && divergence.get() == null) {
            bodies.read();
        }
    }

    /**
     * The first tick that led to another state the second time, or whose restored state differed from the saved one. Any thread.
     *
     * @return empty as long as all states were equal; {@code recordedHash} is that of the first pass
     */
    public Optional<Divergence> divergence() {
        return Optional.ofNullable(divergence.get());
    }

    @Override
    public void capture(PoseWriter poses) throws Exception {
        simulation.capture(poses);
    }

    @Override
    public void events(EventWriter events) throws Exception {
        simulation.events(events);
    }

    @Override
    public long hash() {
        return simulation.hash();
    }

    @Override
    public CommandHandlers commands() {
        return simulation.commands();
    }

    @Override
    public void close() {
        simulation.close();
    }

    /** A copy of the state of all bodies, bit by bit. One thread; allocates when there are more bodies than before. */
    private static final class AllBodies {

        private final BodyStates states;
        private final List<String> components;
        private long[] bits = {};
        private int bodies;

        AllBodies(BodyStates states) {
            this.states = states;
            components = states.stateComponents();
        }

        void read() {
            bodies = states.bodyCount();
            if (bits.length < bodies * components.size()) {
                bits = new long[2 * bodies * components.size()];
            }
            states.readStates(0, bodies, bits);
        }

        int firstDifferentBody(AllBodies other) {
            int both = Math.min(bodies, other.bodies);
            int at = mismatch(0, both, other);
            if (at >= 0) {
                return at / components.size();
            }
            return bodies == other.bodies ? Divergence.UNKNOWN : both;
        }

        /** The first component of a body that differs. Empty if only one of the copies has the body. */
        String firstDifferentComponent(int body, AllBodies other) {
            boolean both = body >= 0 && body < Math.min(bodies, other.bodies);
            return both ? components.get(mismatch(body, body + 1, other)) : "";
        }

        private int mismatch(int fromBody, int toBody, AllBodies other) {
            int from = fromBody * components.size();
            int to = toBody * components.size();
            return Arrays.mismatch(bits, from, to, other.bits, from, to);
        }
    }
}
