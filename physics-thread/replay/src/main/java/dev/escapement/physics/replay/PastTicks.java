package dev.escapement.physics.replay;

import dev.escapement.physics.Divergence;
import dev.escapement.physics.RestoreRefusedException;
import dev.escapement.physics.Simulation;
import dev.escapement.physics.Tick;
import dev.escapement.physics.TickHistory;
import dev.escapement.physics.TickSource;
import dev.escapement.physics.command.CommandData;
import dev.escapement.physics.command.CommandHandlers;
import dev.escapement.physics.restore.BodyStates;
import dev.escapement.physics.restore.Restorable;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.state.event.EventHub;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.time.TickRate;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * A copy of the past, from a saved state on: leads to a tick, and then provides those after it, with the input and commands that they had.
 *
 * <p>One thread at a time.
 */
final class PastTicks implements TickHistory.Past, TickSource {

    /** A state, and the tick after which it was saved. */
    record Saved(long tick, StateBuffer state) {}

    private final TickDecoder decoder;
    private final TickRate rate;
    private ByteBuffer records;

    /** Where those of the last tick begin that was decoded. */
    private int tickAt;

    private final Saved before;
    private final Saved saved;
    private final long to;
    private long last;
    private final long lastLocal;
    private final boolean isDragging;
    private final EventHub events = new EventHub();
    private @Nullable CommandHandlers handlers;

    /**
     * Creates the past up to a tick, and after it.
     *
     * @param header    of the encoder of the records
     * @param records   the levels at or before the first saved state, and all ticks from there on
     * @param before    the saved state before the next one; the same if none is kept
     * @param saved     the last saved state up to the tick
     * @param to        the tick
     * @param last      the last tick
     * @param lastLocal the last tick that cannot run again
     * @param isDragging whether a body is held after the tick
     */
    PastTicks(
            LogHeader header,
            ByteBuffer records,
            Saved before,
            Saved saved,
            long to,
            long last,
            long lastLocal,
            boolean isDragging) {
        decoder = new TickDecoder(header);
        rate = header.run().rate();
        this.records = records;
        this.before = before;
        this.saved = saved;
        this.to = to;
        this.last = last;
        this.lastLocal = lastLocal;
        this.isDragging = isDragging;
        next(); // the levels
    }

    @Override
    public void restore(Simulation simulation, boolean isAnother, @Nullable Callable<?> capture) throws Exception {
        handlers = simulation.commands();
        Restorable restorable = simulation
                .capability(Restorable.class)
                .orElseThrow(() -> new IllegalStateException(
                        simulation.getClass().getName() + " is not Restorable, so it cannot begin with a saved state"));
        if (isAnother) {
            repeatOnce(simulation, restorable);
        }
        while (at() < saved.tick) {
            next();
        }
        restore(restorable, saved);
        try {
            if (capture != null) {
                capture.call();
            }
            while (at() < to) {
                step(simulation, capture);
            }
        } catch (RestoreRefusedException within) { // of something else: the simulation was restored
            throw new IllegalStateException(within.getMessage(), within);
        }
    }

    /** Restores all of a saved state. */
    static void restore(Restorable restorable, Saved from) {
        from.state.rewind();
        restorable.restore(from.state);
        if (from.state.hasMore()) {
            throw new IllegalStateException("the saved state of tick " + from.tick + " has " + from.state.size()
                    + " bytes, and not all were taken: this world has fewer bodies, or is another one");
        }
    }

    /** Comes to the saved state from the one before it, and compares. */
    private void repeatOnce(Simulation simulation, Restorable restorable) throws Exception {
        while (at() < before.tick) {
            next();
        }
        restore(restorable, before);
        boolean local = false;
        while (at() < saved.tick) {
            step(simulation, null);
            local |= decoder.tick().commandsRan;
        }
        BodyStates bodies = simulation.capability(BodyStates.class).orElse(null);
        if (bodies == null || local || before.tick == saved.tick) {
            return;
        }
        BodyDigests here = new BodyDigests(bodies.stateComponents().size(), true);
        here.read(bodies, bodies.bodyCount());
        restore(restorable, saved);
        Divergence found = ReplayCheck.difference(saved.tick, 0, 0, here, bodies, Divergence.UNKNOWN);
        if (found.body() != Divergence.UNKNOWN) {
            throw new IllegalStateException("this world is another one: from the saved state of tick " + before.tick
                    + " it came to another state of tick " + saved.tick + ", first of body " + found.body() + " ("
                    + found.component() + ")");
        }
    }

    /** Runs the next tick again, after its commands; no snapshot shows it. */
    Tick step(Simulation simulation, @Nullable Callable<?> capture) throws Exception {
        next();
        for (int command = 0; command < commands().size(); command++) {
            Throwable thrown = decoder.tick().runCommand(command, Objects.requireNonNull(handlers));
            if (thrown instanceof VirtualMachineError error) { // which it may not have thrown in the run
                throw error;
            }
        }
        long dueNanos = rate.nanosAt(at());
        Tick tick = new Tick(
                rate,
                at(),
                dueNanos,
                decoder.tick().budgetUsed,
                input(rate.nanosAt(at() - 1), dueNanos),
                events.beginTick(eventsWanted()));
        simulation.step(tick);
        if (capture != null) {
            capture.call();
        }
        events.discard(simulation::events); // contacts must not accumulate
        return tick;
    }

    private long at() {
        return decoder.tick().number;
    }

    /** Decodes the next tick, after its commands; first of all, the levels. */
    private void next() {
        tickAt = records.position();
        int end = records.getInt() + records.position();
        while (records.position() < end) {
            ByteBuffer record = records.slice().order(ByteOrder.LITTLE_ENDIAN);
            int recordEnd = LogFormat.RECORD_HEADER_BYTES + record.getInt(0);
            String why = decoder.decode(
                    record.position(LogFormat.RECORD_HEADER_BYTES).limit(recordEnd));
            records.position(records.position() + recordEnd);
            if (why != null) {
                throw new IllegalStateException("the past is damaged: " + why);
            }
        }
    }

    @Override
    public InputFrame input() {
        while (at() < to) {
            next();
        }
        return decoder.tick().input();
    }

    @Override
    public boolean isDragging() {
        return isDragging;
    }

    @Override
    public TickSource after(TickSource running) {
        if (lastLocal > to) {
            throw new IllegalStateException(
                    "the ticks after " + to + " cannot run again: before tick " + lastLocal
                            + " a command ran that is no data; offer such commands with their CommandType, or drop what came after");
        }
        if (running instanceof PastTicks again && again.last > last && again.at() <= last + 1) {
            ByteBuffer rest = again.after(last);
            records = ByteBuffer.allocate(records.remaining() + rest.remaining())
                    .put(records)
                    .put(rest)
                    .flip();
            last = again.last;
        }
        return this;
    }

    /** The records after a tick: the last one, or the one before it, because a tick takes its input before commands let the run go back. */
    private ByteBuffer after(long tick) {
        return records.duplicate().position(at() > tick ? tickAt : records.position());
    }

    @Override
    public boolean isReady() {
        return at() < last;
    }

    @Override
    public void take(long tick) {
        next();
    }

    @Override
    public List<CommandData> commands() {
        return decoder.tick().commands;
    }

    @Override
    public void runCommand(int command) {
        decoder.tick().runCommand(command, Objects.requireNonNull(handlers));
    }

    @Override
    public InputFrame input(long fromNanos, long dueNanos) {
        decoder.tick().input.moveTo(fromNanos, dueNanos);
        return decoder.tick().input();
    }

    @Override
    public double budgetUsed(double measured) {
        return decoder.tick().budgetUsed;
    }

    @Override
    public boolean eventsWanted() {
        return decoder.tick().eventsWanted;
    }
}
