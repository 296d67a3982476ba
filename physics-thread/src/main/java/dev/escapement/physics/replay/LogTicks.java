package dev.escapement.physics.replay;

import dev.escapement.physics.Divergence;
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
    private @Nullable LoggedTick recorded;

    /** Throws {@link IllegalArgumentException} if there is no handler for commands of the log. */
    LogTicks(InputLog log, ReplayCheck check, CommandHandlers handlers) {
        this.handlers = handlers;
        handlers.require(log.commandTypes());
        this.log = log;
        this.check = check;
    }

    @Override
    public void take(long tick) throws IOException {
        LogReader ticks = reader();
        LoggedTick next = ticks.tick();
        recorded = next;
        if (!ticks.next() || next.number() != tick) {
            throw new IOException("tick " + tick + " is not in the log any more: " + log);
        }
    }

    @Override
    public InputFrame input(long fromNanos, long dueNanos) {
        recorded().moveTo(fromNanos, dueNanos);
        return recorded().input();
    }

    @Override
    public List<CommandData> commands() {
        return recorded().commands();
    }

    @Override
    public void runCommand(int command) {
        recorded().runCommand(command, handlers);
    }

    @Override
    public boolean localRan() {
        return recorded().commandsRan();
    }

    @Override
    public double budgetUsed(double measured) {
        return recorded().budgetUsed();
    }

    @Override
    public boolean eventsWanted() {
        return recorded().eventsWanted();
    }

    @Override
    public void compare(long stateHash) {
        check.check(recorded(), stateHash);
    }

    @Override
    public boolean isReady() {
        return recorded == null || recorded.number() < log.ticks();
    }

    /** After the last tick for ever. */
    @Override
    public boolean standsStill() {
        return !isReady();
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

    private LogReader reader() throws IOException {
        LogReader opened = reader;
        if (opened == null) {
            opened = log.reader();
            reader = opened;
        }
        return opened;
    }

    private LoggedTick recorded() {
        return Objects.requireNonNull(recorded, "no tick was taken yet");
    }
}
