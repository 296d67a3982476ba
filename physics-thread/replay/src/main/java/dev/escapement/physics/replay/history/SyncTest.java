package dev.escapement.physics.replay.history;

import dev.escapement.physics.restore.Restorable;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.physics.simulation.ForwardingSimulation;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.physics.spi.TickSource;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Steps a simulation twice through every tick, from the same saved state with the same input, and compares the saved states and the hashes.
 * The first difference is in the first tick that depends on something that is neither saved by {@link Restorable#save} nor part of the
 * tick: a random number, an address, the time.
 *
 * <pre>{@code
 * SyncTest test = SyncTest.of(new MyRestorableWorld());
 * InlineDriver driver = PhysicsService.builder(test).inline(clock);
 * ...
 * test.divergence().ifPresent(System.out::println);
 * }</pre>
 *
 * <p>A sync test is itself a simulation, for any service or driver, live, recorded or replayed. It reports contacts like a restored
 * simulation: some may be missing.
 */
public final class SyncTest extends ForwardingSimulation {

    private final Restorable restorable;
    private final StateBuffer before = new StateBuffer();
    private final StateBuffer once = new StateBuffer();
    private final StateBuffer again = new StateBuffer();

    // Volatile accesses: a thread that sees the difference sees all of its fields.
    private final AtomicReference<TickSource.@Nullable Divergence> divergence = new AtomicReference<>();

    private SyncTest(Simulation simulation, Restorable restorable) {
        super(simulation);
        this.restorable = restorable;
    }

    /**
     * Prepares to test a simulation.
     *
     * @param simulation the simulation to test; closed with the sync test
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
    public void step(Tick tick) throws Exception {
        long hashBefore = simulation.hash();
        before.clear();
        restorable.save(before);
        simulation.step(tick);
        long hashOnce = simulation.hash();
        if (divergence.get() == null) {
            once.clear();
            restorable.save(once);
        }
        before.rewind();
        restorable.restore(before);
        compare(tick.number() - 1, hashBefore, before);
        simulation.step(tick);
        compare(tick.number(), hashOnce, once);
    }

    /** Notes the first difference between the state now and an earlier one. */
    private void compare(long tick, long hash, StateBuffer state) {
        if (divergence.get() == null) {
            String place = again.saveAndCompare(restorable, state);
            if (!place.isEmpty() || hash != simulation.hash()) {
                divergence.set(new TickSource.Divergence(
                        tick,
                        hash,
                        simulation.hash(),
                        place.isEmpty()
                                ? "no saved value differs, so the hash depends on one that is not saved"
                                : place,
                        ""));
            }
        }
    }

    /**
     * {@return the first tick that led to another state when it was stepped again, or whose restored state differed from the saved one;
     * empty if there was none} Its {@code recordedHash} is the hash of the first pass, and its {@code place} names the saved value. Any
     * thread.
     */
    public Optional<TickSource.Divergence> divergence() {
        return Optional.ofNullable(divergence.get());
    }
}
