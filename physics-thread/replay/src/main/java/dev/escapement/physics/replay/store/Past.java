package dev.escapement.physics.replay.store;

import dev.escapement.physics.command.CommandData;
import dev.escapement.physics.command.CommandHandlers;
import dev.escapement.physics.command.CommandName;
import dev.escapement.physics.loop.TickRunner;
import dev.escapement.physics.replay.format.LogFormat;
import dev.escapement.physics.replay.format.TickDecoder;
import dev.escapement.physics.restore.Restorable;
import dev.escapement.physics.restore.RestoreRefusedException;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.spi.TickSource;
import dev.escapement.state.input.DragInput;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.time.TickRate;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Copy of the kept ticks from a saved state on. {@link #restore} leads a simulation to one tick; then the past provides the later ticks,
 * with their input and commands.
 *
 * <p>One thread at a time.
 */
public final class Past implements TickSource {

    /** A saved state, and the tick after which it was saved. */
    public record Saved(long tick, StateBuffer state) {}

    private final TickDecoder decoder;
    private final TickRate rate;
    private final ByteBuffer records;
    private final Saved saved;
    private final long to;
    private final int dragger;
    private @Nullable CommandHandlers handlers;

    /**
     * Creates a past that leads to a tick, and provides the ticks after it.
     *
     * @param rate         the rate of the ticks
     * @param commandTypes the command types of the encoder that wrote the records
     * @param records      the levels at or before the first saved state, and all ticks from there on
     * @param saved        the last saved state up to the tick
     * @param to           the tick to which the past leads
     * @param dragger      the sender that drags a body after the tick
     */
    Past(TickRate rate, List<CommandName> commandTypes, ByteBuffer records, Saved saved, long to, int dragger) {
        decoder = new TickDecoder(rate, commandTypes);
        this.rate = rate;
        this.records = records;
        this.saved = saved;
        this.to = to;
        this.dragger = dragger;
        next(); // the first record has the input levels
    }

    /**
     * Brings a simulation to its state after tick {@link #to()}. Called once.
     *
     * @param simulation the simulation of the history, or another one that is built like it
     * @param atRest     called after the restore, and after each later step; null for none
     * @throws IllegalStateException   if the simulation does not take all of the state
     * @throws RestoreRefusedException if the simulation refuses the state, and has not changed
     * @throws Exception               an exception of the simulation, which is unusable then
     */
    public void restore(Simulation simulation, @Nullable Callable<?> atRest) throws Exception {
        handlers = simulation.commands();
        Restorable restorable = simulation
                .capability(Restorable.class)
                .orElseThrow(() -> new IllegalStateException(
                        simulation.getClass().getName() + " is not Restorable, so it cannot begin with a saved state"));
        TickRunner runner = new TickRunner(simulation, rate, List.of());
        while (tick() < saved.tick) {
            next();
        }
        restoreAll(restorable, saved);
        try {
            if (atRest != null) {
                atRest.call();
            }
            while (tick() < to) {
                step(runner, atRest);
            }
        } catch (RestoreRefusedException within) { // thrown by a later step: the restore has succeeded
            throw new IllegalStateException(within.getMessage(), within);
        }
    }

    private void step(TickRunner runner, @Nullable Callable<?> atRest) throws Exception {
        long number = tick() + 1;
        runner.run(this, number, number, rate.nanosAt(number - 1), rate.nanosAt(number));
        if (atRest != null) {
            atRest.call();
        }
        runner.discardEvents();
    }

    /** Restores a saved state. Throws an {@link IllegalStateException} if the simulation does not read all of it. */
    public static void restoreAll(Restorable restorable, Saved from) {
        from.state.rewind();
        restorable.restore(from.state);
        if (from.state.hasMore()) {
            throw new IllegalStateException("the saved state of tick " + from.tick + " has " + from.state.size()
                    + " bytes, and not all were taken: this world has fewer bodies, or is another one");
        }
    }

    private long tick() {
        return decoder.tick().number;
    }

    /** Decodes the next tick with its commands. The first call decodes the input levels before the first tick. */
    private void next() {
        int bytes = records.getInt();
        int end = records.position() + bytes;
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

    /** Returns the tick to which this past leads. */
    public long to() {
        return to;
    }

    /**
     * Returns the input of the tick to which this past leads, with the input levels at its end. Call it after {@link #restore}, or without
     * a restore.
     */
    public InputFrame input() {
        while (tick() < to) {
            next();
        }
        return decoder.tick().input();
    }

    /**
     * Returns the sender that drags a body after the tick; {@link DragInput#NOBODY} if no sender does, another negative number if that is
     * not known.
     */
    public int dragger() {
        return dragger;
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
        Throwable thrown = decoder.tick().runCommand(command, Objects.requireNonNull(handlers));
        if (thrown instanceof VirtualMachineError error) { // thrown on, because the original run may not have had it
            throw error;
        }
    }

    @Override
    public InputFrame input(long fromNanos, long dueNanos) {
        decoder.tick().recordedInput.moveTo(fromNanos, dueNanos);
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
