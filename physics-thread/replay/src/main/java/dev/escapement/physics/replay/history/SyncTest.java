package dev.escapement.physics.replay.history;

import dev.escapement.physics.command.CommandHandlers;
import dev.escapement.physics.replay.format.BodyDigests;
import dev.escapement.physics.restore.BodyStates;
import dev.escapement.physics.restore.Restorable;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.physics.spi.Divergence;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.event.EventWriter;
import java.util.Map;
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
    private final @Nullable BodyStates bodies;

    /** Of the bodies after the first of the two steps. */
    private final BodyDigests once;

    private final StateBuffer saved = new StateBuffer();

    // Volatile accesses: a thread that sees the difference sees all of it.
    private final AtomicReference<@Nullable Divergence> divergence = new AtomicReference<>();

    private SyncTest(Simulation simulation, Restorable restorable) {
        this.simulation = simulation;
        this.restorable = restorable;
        bodies = simulation.capability(BodyStates.class).orElse(null);
        once = new BodyDigests(bodies == null ? 0 : bodies.stateComponents().size(), true);
    }

    /**
     * Prepares to test a simulation.
     *
     * @param simulation the simulation to test; closed with this
     * @return the simulation, stepped twice each tick
     * @throws IllegalArgumentException if it is not {@link Restorable}
     */
    public static SyncTest of(Simulation simulation) {
        return new SyncTest(
                simulation,
                simulation
                        .capability(Restorable.class)
                        .orElseThrow(() -> new IllegalArgumentException(
                                simulation.getClass().getName()
                                        + " is not Restorable; implement it, or wrap a simulation that is")));
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
        if (bodies != null && divergence.get() == null) {
            once.read(bodies, bodies.bodyCount());
        }
        saved.rewind();
        restorable.restore(saved);
        compare(tick.number() - 1, before, simulation.hash(), null);
        simulation.step(tick);
        compare(tick.number(), first, simulation.hash(), bodies);
    }

    /** Notes the first difference of hashes. Names the body if given bodies, whose state is of the same tick as the digests. */
    private void compare(long tick, long first, long second, @Nullable BodyStates comparable) {
        if (first != second && divergence.get() == null) {
            divergence.set(once.divergence(tick, first, second, comparable, Divergence.UNKNOWN));
        }
    }

    /**
     * {@return the first tick that led to another state the second time, or whose restored state differed from the saved one; empty if all
     * were equal} {@code recordedHash} is the hash of the first pass. A body is named by digests of 16 bits of its components: one change of
     * 65,536 may be missed then. Any thread.
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
    public Map<String, Long> counts() {
        return simulation.counts();
    }

    @Override
    public <T> Optional<T> capability(Class<T> type) {
        return simulation.capability(type);
    }

    @Override
    public void close() {
        simulation.close();
    }
}
