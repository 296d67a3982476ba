package dev.escapement.physics.replay;

import dev.escapement.physics.Divergence;
import dev.escapement.physics.Simulation;
import dev.escapement.physics.TickSource;
import dev.escapement.physics.command.CommandData;
import dev.escapement.physics.command.CommandHandlers;
import dev.escapement.state.input.InputFrame;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Provides the ticks of a log to a service or driver that replays them. Reads the file on the thread that ticks, 64 KiB at a time.
 *
 * <p>Physics thread only, except {@link #divergence()}.
 */
final class LogTicks implements TickSource {

    private final InputLog log;
    private final ReplayCheck check;
    private final CommandHandlers handlers;
    private @Nullable LogReader reader;

    /** Throws {@link IllegalArgumentException} if the log does not match the simulation. */
    LogTicks(InputLog log, Simulation simulation) {
        this.log = log;
        check = new ReplayCheck(log, simulation.capability(BodyStates.class).orElse(null));
        handlers = simulation.commands();
        handlers.require(log.commandTypes());
    }

    /** The tick that was taken last; 0 before the first. */
    long at() {
        return reader == null ? 0 : reader.tick().number;
    }

    /** Moves to a tick whose state was restored, or to the start. Reads every tick, because the levels depend on all of them. */
    void goTo(long tick) throws IOException {
        if (reader == null || tick < at()) {
            close();
            reader = log.reader();
        }
        while (at() < tick) {
            take(at() + 1);
        }
    }

    @Override
    public boolean isReady() {
        return at() < log.ticks();
    }

    /** True for ever after the last tick. */
    @Override
    public boolean standsStill() {
        return !isReady();
    }

    @Override
    public void take(long tick) throws IOException {
        LogReader ticks = reader;
        if (ticks == null) {
            ticks = log.reader();
            reader = ticks;
        }
        if (!ticks.next() || at() != tick) {
            throw new IOException("tick " + tick + " is not in the log any more: " + log);
        }
    }

    @Override
    public InputFrame input(long fromNanos, long dueNanos) {
        recorded().input.moveTo(fromNanos, dueNanos);
        return recorded().input();
    }

    @Override
    public List<CommandData> commands() {
        return recorded().commands;
    }

    @Override
    public void runCommand(int command) {
        recorded().runCommand(command, handlers);
    }

    @Override
    public boolean localRan() {
        return recorded().commandsRan;
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
    public void compare(long stateHash) {
        check.check(recorded(), stateHash);
    }

    @Override
    public Optional<Divergence> divergence() {
        return check.divergence();
    }

    @Override
    public void close() {
        try {
            if (reader != null) {
                reader.close();
            }
        } catch (IOException harmless) {
            // nothing was written
        }
    }

    private LoggedTick recorded() {
        return Objects.requireNonNull(reader, "no tick was taken yet").tick();
    }
}
