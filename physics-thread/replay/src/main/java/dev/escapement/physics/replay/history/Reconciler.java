package dev.escapement.physics.replay.history;

import dev.escapement.physics.replay.flight.FlightRecorder;
import dev.escapement.physics.replay.history.Reconciled.Outcome;
import dev.escapement.physics.replay.log.Recording;
import dev.escapement.physics.replay.store.Past;
import dev.escapement.physics.restore.Restorable;
import dev.escapement.physics.restore.RestoreRefusedException;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.spi.TickAccess;
import dev.escapement.physics.spi.TickAccess.Restore;
import dev.escapement.physics.spi.TickHook;
import dev.escapement.state.input.DragInput;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Corrects a run that stays ahead of the same world elsewhere, the authority. The run's own input acts at once. If the authority's state
 * after an earlier tick differs, the authority is right: before its next tick the run goes back to that tick, takes that state, and repeats
 * its own input and commands up to now. Published snapshots stay; the next snapshot is corrected, and the renderer fades the error, as
 * after {@link StateHistory#rollBack}.
 *
 * <pre>{@code
 * Reconciler reconciler = new Reconciler(StateHistory.of(Duration.ofSeconds(1)), reconciled -> {});
 * InlineDriver ahead = PhysicsService.builder(world).with(reconciler).firstTick(joined + 1).inline(clock);
 * reconciler.offer(joined, hash, state); // and then each tick of the authority that arrives, in any order
 * }</pre>
 *
 * <p>Both sides count ticks alike, are built alike, and have a {@link Simulation#hash()}. The authority sends its hash and what {@link
 * Restorable#save} saves, at any ticks, by any transport that drops damaged packets. The run is ahead because its clock is. It must be far
 * enough ahead that its input reaches the authority before the tick that takes this input. Input of other senders is not predicted.
 *
 * <p><b>Guarantees</b>
 * <ol>
 *   <li>Only the newest tick of the authority that has arrived counts, once. Lost, late and repeated ticks are harmless.</li>
 *   <li>After a tick whose hash was equal, or that was corrected, the run has the authority's states as long as it gets the same
 *       input.</li>
 *   <li>No input and no command that is data is lost by a correction.</li>
 *   <li>Late input does not re-simulate a tick that the authority has decided: the authority's state already has the effect of that
 *       input.</li>
 *   <li>Until a hash differs, ticks allocate only what {@link StateHistory} allocates.</li>
 * </ol>
 *
 * <p>The run's own input has the same sender on both sides if it is offered through {@code RemoteSources.join(sender)}, with the number
 * that the authority has assigned. The authority's state may know that sender already, so in the simulation a
 * {@link dev.escapement.state.input.InputKind#SENDER_JOINED} of a known sender must change nothing. The simulation must ask input only for
 * the levels of senders that its {@code sender(i)} names, because the run's input has no other senders.
 *
 * <p>Subscribers receive the contacts of the run's own ticks. If other bodies touch in the authority's state itself, subscribers receive no
 * event for these contacts. A body that spawns in a re-simulated tick gets another id. A run fails if its world refuses the authority's
 * state, or its own earlier one, because it could not follow the authority any more.
 *
 * <p><b>Threads.</b> Any thread offers; the service calls the rest, on the physics thread.
 */
public final class Reconciler implements TickHook {

    /** The authority's state after a tick. */
    private record Truth(long tick, long hash, StateBuffer state) {}

    private static final int HASHES = 1 << 12;

    private final StateHistory history;
    private final Consumer<? super Reconciled> listener;

    // The newest state that the authority has offered. Volatile accesses: the physics thread that reads it sees all of
    // its fields.
    private final AtomicReference<@Nullable Truth> newest = new AtomicReference<>();

    /** The hashes after the last ticks, at the index of the tick modulo the length. */
    private final long[] hashes = new long[HASHES];

    /** The tick of each hash in {@link #hashes}; -1 if there is none. */
    private final long[] hashed = new long[HASHES];

    /** The last tick of the authority that was skipped; -1 if there is none. */
    private long skipped = -1;

    private @Nullable TickAccess run;

    /**
     * Creates a reconciler for one run.
     *
     * @param history  keeps the last ticks: at least as many as the run is ahead of the states that arrive
     * @param listener receives the result of each difference, on the physics thread
     */
    public Reconciler(StateHistory history, Consumer<? super Reconciled> listener) {
        this.history = Objects.requireNonNull(history, "history must not be null; pass StateHistory.of(...)");
        Arrays.fill(hashed, -1);
        this.listener = Objects.requireNonNull(listener, "listener must not be null; pass reconciled -> {} for none");
    }

    /**
     * Offers the authority's state after a tick. Any thread.
     *
     * @param tick  the tick's number
     * @param hash  {@link Simulation#hash()} after the tick
     * @param state the bytes that {@link Restorable#save} saved after the tick, from {@link StateBuffer#toBytes}; not copied
     * @throws IllegalArgumentException if the number is negative
     * @throws RestoreRefusedException  if the state is damaged
     */
    public void offer(long tick, long hash, byte[] state) {
        if (tick < 0) {
            throw new IllegalArgumentException("a tick of the authority must be 0 or more, but is " + tick);
        }
        Objects.requireNonNull(state, "state must not be null; pass the bytes that the authority has saved");
        Truth offered = new Truth(tick, hash, new StateBuffer(state));
        newest.accumulateAndGet(offered, (now, next) -> now == null || now.tick < tick ? next : now);
    }

    @Override
    public void attach(TickAccess run) {
        if (run.follows()
                || run.hooks().stream().anyMatch(hook -> hook instanceof Recording || hook instanceof FlightRecorder)) {
            throw new IllegalArgumentException(
                    "a run that is corrected cannot be recorded or follow another, because no log"
                            + " can say so yet; leave out one of the two");
        }
        if (run.hooks().stream().anyMatch(this::isAnotherHistory)) {
            throw new IllegalArgumentException(
                    "a run that is corrected has one history, which its reconciler has, because another"
                            + " would keep what was wrong; leave out the other one");
        }
        history.attach(run);
        history.keepToResimulate(run, 2 * (int) Math.min(history.store().ticks(), HASHES / 2));
        this.run = run;
    }

    private boolean isAnotherHistory(TickHook hook) {
        return hook != this && (hook instanceof StateHistory || hook instanceof Reconciler);
    }

    @Override
    public void begun() {
        history.begun();
        noteHash(run().lastSimulationTick());
    }

    @Override
    public void beforeCommands() throws Exception {
        history.beforeCommands();
        correct(run().lastSimulationTick());
    }

    @Override
    public void published(TickHook.Times times) {
        history.published(times);
    }

    @Override
    public void stepped(TickHook.Stepped tick) {
        history.stepped(tick);
    }

    @Override
    public void atRest(long tick, boolean bodiesChanged) {
        history.atRest(tick, bodiesChanged);
        noteHash(tick);
    }

    @Override
    public void sought(long tick, boolean resimulates) {
        history.sought(tick, resimulates);
        for (int i = 0; i < HASHES; i++) {
            hashed[i] = hashed[i] > tick ? -1 : hashed[i];
        }
        noteHash(tick);
    }

    private void noteHash(long tick) {
        hashed[(int) (tick % HASHES)] = tick;
        hashes[(int) (tick % HASHES)] = simulation().hash();
    }

    private void correct(long last) throws Exception {
        Truth truth = newest.get();
        if (truth == null) {
            return;
        }
        // The history lacks the last tick if that tick failed after it was published.
        boolean kept =
                history.store().has(truth.tick) && history.store().has(last) && history.canResimulate(truth.tick + 1);
        int at = (int) (truth.tick % HASHES);
        boolean equal = hashed[at] == truth.tick && hashes[at] == truth.hash;
        if (truth.tick <= history.decided() || equal) {
            decide(truth);
        } else if (kept && history.store().localRanAfter(truth.tick)) {
            newest.compareAndSet(truth, null); // skipped: this truth decides nothing
            if (truth.tick > skipped) { // otherwise this truth was reported already, or is late
                skipped = truth.tick;
                listener.accept(new Reconciled(Outcome.SKIPPED, truth.tick, last, ""));
            }
        } else if (run().holdSlots() == 0) { // otherwise ids of spawns to come block a seek, and a later call decides
            decide(truth);
            if (kept && run().publishedTick() >= run().firstTick()) {
                reconcile(truth, last);
            } else {
                startAnew(truth, last);
            }
        }
    }

    private void decide(Truth truth) {
        newest.compareAndSet(truth, null); // unless a newer truth has come
        history.noteDecided(Math.max(history.decided(), truth.tick));
    }

    private void startAnew(Truth truth, long last) throws Exception {
        // A sender may drag a body in the authority's state. The end of the drag may be in a tick that is dropped here,
        // or may not have come yet.
        boolean mayDrag = truth.tick < last || history.store().dragger(last) != DragInput.NOBODY;
        run().seek(truth.tick, atRest -> {
            restore(truth);
            history.store().forget(truth.tick, mayDrag);
            history.store().start(truth.tick);
        });
        if (truth.tick < last) {
            run().input().owedEvents().endAnyDrag();
        }
        listener.accept(new Reconciled(Outcome.STARTED_ANEW, truth.tick, last, ""));
    }

    private void reconcile(Truth truth, long last) throws Exception {
        Past past = history.store().past(truth.tick);
        try { // restores our own state first, to name what differs, and to move `past` to the tick
            past.restore(simulation(), null);
        } catch (RestoreRefusedException refused) {
            throw new IllegalStateException(
                    "the run cannot go back to tick " + truth.tick + ", where the authority had another state: "
                            + refused.getMessage(),
                    refused);
        }
        String difference = new StateBuffer().saveAndCompare(restorable(), truth.state);
        restore(truth);
        Restore restored = atRest -> {
            if (atRest != null) {
                atRest.call();
            }
            history.store().beginCorrected(truth.tick, past.input());
        };
        run().resimulate(truth.tick + 1, restored, past, history.rerunHistory());
        listener.accept(new Reconciled(Outcome.CORRECTED, truth.tick, last, difference));
    }

    private void restore(Truth truth) {
        String other = "the authority's world is another one: its state after tick " + truth.tick;
        truth.state.rewind();
        try {
            Past.restoreAll(restorable(), new Past.Saved(truth.tick, truth.state));
        } catch (RuntimeException unfit) {
            throw new IllegalStateException(other + " does not fit this one: " + unfit.getMessage(), unfit);
        }
        long hash = simulation().hash();
        if (hash != truth.hash) {
            throw new IllegalStateException(other + " has the hash " + Long.toHexString(truth.hash) + " there, and "
                    + Long.toHexString(hash) + " here");
        }
    }

    private Restorable restorable() {
        return simulation().capability(Restorable.class).orElseThrow();
    }

    private TickAccess run() {
        return Objects.requireNonNull(run);
    }

    private Simulation simulation() {
        return run().simulation();
    }
}
