package dev.escapement.physics;

import dev.escapement.physics.replay.Divergence;
import dev.escapement.physics.replay.InputLog;
import dev.escapement.physics.replay.LogReader;
import dev.escapement.physics.replay.LoggedTick;
import dev.escapement.physics.replay.ReplayCheck;
import java.io.IOException;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The input of ticks that were recorded, and the comparison with the states they led to.
 *
 * <p>Physics thread only, except {@link #divergence()}. Reads the file on that thread, 64 KiB at a time.
 */
final class ReplayedInput implements TickInput {

    private final InputLog log;
    private final ReplayCheck check;
    private @Nullable LogReader reader;
    private @Nullable LoggedTick recorded;

    ReplayedInput(InputLog log, ReplayCheck check) {
        this.log = log;
        this.check = check;
    }

    @Override
    public void take(Tick tick, long number, long fromNanos, long dueNanos, double budgetUsed) throws IOException {
        LogReader ticks = reader();
        LoggedTick next = ticks.tick();
        recorded = next;
        if (!ticks.next() || next.number() != number) {
            throw new IOException("tick " + number + " is not in the log any more: " + log);
        }
        next.moveTo(fromNanos, dueNanos);
        tick.set(number, dueNanos, next.budgetUsed(), next.input());
    }

    @Override
    public boolean isReplay() {
        return true;
    }

    @Override
    public boolean eventsWanted() {
        return recorded().eventsWanted();
    }

    @Override
    public boolean isAtEnd() {
        return recorded != null && recorded.number() == log.ticks();
    }

    /** After the step of the tick that was taken. */
    void stepped(long stateHash) {
        check.check(recorded(), stateHash);
    }

    /** Any thread. */
    Optional<Divergence> divergence() {
        return check.divergence();
    }

    void close() {
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
