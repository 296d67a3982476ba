package dev.escapement.physics.replay.log;

import dev.escapement.physics.command.CommandData;
import dev.escapement.physics.command.CommandHandlers;
import dev.escapement.physics.replay.format.LogReader;
import dev.escapement.physics.replay.format.LoggedTick;
import dev.escapement.physics.replay.format.SavedState;
import dev.escapement.physics.restore.Restorable;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.spi.TickAccess;
import dev.escapement.physics.spi.TickHook;
import dev.escapement.physics.spi.TickSource;
import dev.escapement.state.input.InputFrame;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Provides the ticks of a log to a service or driver that replays them. Compares the first state and the state after every tick with the
 * recorded ones, and keeps the first difference. Reads the file on the thread that ticks, 64 KiB at a time.
 *
 * <p>Physics thread only, except {@link #divergence()}. Comparing allocates nothing until the states differ.
 */
final class LogTicks implements TickSource {

    private final InputLog log;
    private final CommandHandlers handlers;
    private final @Nullable Restorable restorable;
    private @Nullable LogReader reader;

    /** Whether the simulation has the state with which the log starts. */
    private boolean restored;

    /** The states at the positions to which the run goes back later, each saved when the replay was there. */
    private final Map<Long, StateBuffer> states = new HashMap<>();

    /** The number of seeks that are yet to come to each position. */
    private final Map<Long, Integer> seeksLeft = new HashMap<>();

    private @Nullable Throwable thrown;

    // Volatile accesses: a thread that sees the difference sees all of its fields.
    private final AtomicReference<TickSource.@Nullable Divergence> divergence = new AtomicReference<>();

    /** What the recorded run used first that no log can repeat, in words; empty if nothing yet. */
    private String cause = "";

    /** Throws {@link IllegalArgumentException} if the log does not match the simulation. */
    LogTicks(InputLog log, Simulation simulation) {
        this.log = log;
        SavedState start = log.start();
        restored = !start.hasState();
        restorable = simulation.capability(Restorable.class).orElse(null);
        if (!restored && restorable == null) {
            throw new IllegalArgumentException("the log starts after tick " + start.tick() + ", from where "
                    + simulation.getClass().getName() + " cannot go on, because it is not Restorable");
        }
        log.seeks().values().forEach(to -> seeksLeft.merge(to.position(), 1, Integer::sum));
        if (!seeksLeft.isEmpty() && restorable == null) {
            throw new IllegalArgumentException(
                    "the run of the log went back " + log.seeks().size() + " times, and "
                            + simulation.getClass().getName() + " cannot, because it is not Restorable");
        }
        String settings = simulation.settings();
        if (!settings.equals(log.settings())) {
            throw new IllegalArgumentException("the log is of a simulation with " + named(log.settings())
                    + ", but this one has " + named(settings) + "; give it those of the log");
        }
        handlers = simulation.commands();
        handlers.require(log.commandTypes());
    }

    private static String named(String settings) {
        return settings.isEmpty() ? "the settings that it has by itself" : settings;
    }

    /** Returns the position of the tick that was taken last; before the first tick, the position after which the log starts. */
    long position() {
        return reader == null ? log.start().tick() : reader.tick().position;
    }

    /** Returns the simulation tick at {@link #position()}. */
    long number() {
        return reader == null ? log.start().tick() : reader.tick().number;
    }

    @Override
    public void poll() {
        restoreStart();
    }

    /** Restores the state with which the log starts, once. */
    void restoreStart() {
        if (!restored) {
            restored = true; // first: if that throws, the simulation cannot be used any more
            try (LogReader start = log.reader()) {
                restore(Objects.requireNonNull(restorable), start.startState());
            } catch (IOException gone) {
                throw new UncheckedIOException("the log cannot be read any more: " + log, gone);
            }
        }
    }

    /** Restores a state, and compares it with the state that the simulation saves then. */
    private void restore(Restorable simulation, StateBuffer start) {
        simulation.restore(start);
        StateBuffer now = new StateBuffer();
        String place = now.saveAndCompare(simulation, start);
        if (!place.isEmpty()) {
            divergence.set(new TickSource.Divergence(log.start().tick(), start.hash(), now.hash(), place, ""));
        }
    }

    @Override
    public long nextTick(long expected) {
        return position() + 1;
    }

    LogReader openReader() throws IOException {
        LogReader ticks = reader;
        if (ticks == null) {
            ticks = log.reader();
            reader = ticks;
        }
        return ticks;
    }

    /**
     * Moves to a position whose state the caller has restored. Reads every tick, because each record has only the input levels that change.
     */
    void goTo(long position) throws IOException {
        if (position < position()) {
            close();
            reader = null;
        }
        while (position() < position) {
            take(position() + 1);
        }
    }

    @Override
    public boolean isReady() {
        return restored && position() < log.lastPosition();
    }

    /** Returns true for ever after the last tick. */
    @Override
    public boolean standsStill() {
        return position() == log.lastPosition();
    }

    /** Seeks if the recorded run sought before its next tick. */
    @Override
    public void followSeek(TickAccess run) throws Exception {
        saveIfReturnedTo();
        long to = goesBackTo();
        if (to >= 0) {
            run.seek(to, atRest -> goBack());
        }
    }

    /** Saves the state if the run of the log went back to it later. */
    void saveIfReturnedTo() {
        if (!seeksLeft.isEmpty() && seeksLeft.containsKey(position())) { // isEmpty first: a boxed Long is an allocation
            StateBuffer state = new StateBuffer();
            Objects.requireNonNull(restorable).save(state);
            states.put(position(), state);
        }
    }

    /** Returns the simulation tick to which the run of the log went back before the next one; -1 if it did not. */
    long goesBackTo() {
        InputLog.Place to = log.seeks().isEmpty() ? null : log.seeks().get(position() + 1);
        return to == null ? -1 : to.tick();
    }

    /** Restores the state to which the run of the log went back before the next tick. */
    void goBack() {
        long to = Objects.requireNonNull(log.seeks().get(position() + 1)).position();
        StateBuffer state = Objects.requireNonNull(states.get(to));
        state.rewind();
        Objects.requireNonNull(restorable).restore(state);
        if (seeksLeft.merge(to, -1, Integer::sum) == 0) { // else states would accumulate
            states.remove(to);
        }
    }

    @Override
    public void take(long position) throws IOException {
        thrown = null;
        if (!openReader().next() || position() != position) {
            throw new IOException("position " + position + " is not in the log any more: " + log);
        }
    }

    @Override
    public InputFrame input(long fromNanos, long dueNanos) {
        recorded().recordedInput.moveTo(fromNanos, dueNanos);
        return recorded().input();
    }

    @Override
    public List<CommandData> commands() {
        return recorded().commands;
    }

    @Override
    public void runCommand(int command) {
        Throwable threw = recorded().runCommand(command, handlers);
        thrown = threw == null ? thrown : threw;
    }

    @Nullable
    Throwable thrown() {
        return thrown;
    }

    @Override
    public String local() {
        return recorded().local;
    }

    @Override
    public double budgetUsed(double measured) {
        return recorded().budgetUsed;
    }

    @Override
    public boolean eventsWanted() {
        return recorded().eventsWanted;
    }

    @Override
    public void compare(TickHook.Stepped stepped) {
        LoggedTick recorded = recorded();
        cause = cause.isEmpty() ? recorded.cause() : cause;
        if (!recorded.hasHash || divergence.get() != null) {
            return;
        }
        if (recorded.stateHash != stepped.stateHash()) {
            String why = cause.isEmpty() ? log.processors() : cause;
            divergence.set(
                    new TickSource.Divergence(recorded.number, recorded.stateHash, stepped.stateHash(), "", why));
        }
    }

    @Override
    public Optional<TickSource.Divergence> divergence() {
        return Optional.ofNullable(divergence.get());
    }

    @Override
    public void close() {
        try {
            if (reader != null) {
                reader.close();
            }
        } catch (IOException harmless) {
            // harmless, because the file is only read
        }
    }

    private LoggedTick recorded() {
        return Objects.requireNonNull(reader, "no tick was taken yet").tick();
    }
}
