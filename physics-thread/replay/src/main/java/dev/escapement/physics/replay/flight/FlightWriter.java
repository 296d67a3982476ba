package dev.escapement.physics.replay.flight;

import dev.escapement.physics.command.CommandData;
import dev.escapement.physics.replay.format.LogHeader;
import dev.escapement.physics.replay.format.SavedState;
import dev.escapement.physics.replay.format.TickEncoder;
import dev.escapement.physics.restore.Restorable;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.physics.spi.TickHook;
import dev.escapement.physics.usercode.FailureReport;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Writes the ticks and commands of a {@link FlightRecorder} to its ring. Begins each file of the ring with a saved state; the change to the
 * next file is a turn.
 *
 * <p>The writer turns only at rest, after a tick or a seek, because a state that was saved between two commands would keep the effect of
 * the first, even if a seek undid that command. Physics thread only. Allocates only where it saves a state. Creates a file itself only if a
 * seek, or a current file of twice its size, needs one that is not prepared.
 */
final class FlightWriter {

    private static final int FIRST_BYTES = 1 << 16;

    private final FlightRing ring;
    private final ByteBuffer header;
    private final Simulation simulation;
    private final TickEncoder encoder;
    private final StateBuffer state = new StateBuffer();
    private final long stateTicks;
    private final Executor keeper;

    /**
     * Null before the first file begins, and if no other simulation can continue from a state of this one. While it is null, the ring stays
     * in its first file.
     */
    private @Nullable Restorable restorable;

    private SavedState saved = SavedState.AS_BUILT;
    private boolean notedLocal;
    private String local = "";

    /** Creates a writer that saves a state every {@code stateTicks} ticks. The keeper prepares the files to write to. */
    FlightWriter(FlightRing ring, LogHeader header, Simulation simulation, long stateTicks, Executor keeper) {
        this.ring = ring;
        this.header = header.encode();
        this.simulation = simulation;
        this.stateTicks = stateTicks;
        this.keeper = keeper;
        encoder = new TickEncoder(header.commandTypes(), FIRST_BYTES);
    }

    /**
     * Writes a command before it runs. If the command is no {@link CommandData}, writes only its class, and only for the first such command
     * since the last saved state or seek.
     */
    void command(long tick, Object command) throws IOException {
        beginBefore(tick);
        if (command instanceof CommandData data) {
            encoder.put(data);
            append();
        } else if (!notedLocal) {
            notedLocal = true;
            encoder.putLocal(TickHook.Stepped.COMMAND + ", " + FailureReport.nameOf(command));
            append();
        }
    }

    void stepping(Tick tick) throws IOException {
        beginBefore(tick.number());
        encoder.putBegun(tick);
        append();
    }

    void stepped(TickHook.Stepped stepped) {
        local = stepped.local();
    }

    /**
     * Writes a seek to a tick. If the current file starts with a later state, another file begins with the state after that tick, and
     * archives from then on start there or later. A run without saved states repeats only from its start.
     */
    void sought(long tick) throws IOException {
        if (saved.number() > 0) {
            if (restorable == null || (tick >= saved.tick() && ring.room() > 0)) {
                encoder.putWentBack(tick);
                append();
                notedLocal = false; // a reader forgets the commands before a seek, too
            } else {
                turn(tick, false);
            }
        }
    }

    /** Writes the hash of the state after a tick, and saves the state if that is due. The simulation is at rest. */
    void atRest(long tick) throws IOException {
        encoder.putHash(simulation.hash(), notedLocal ? "" : local);
        notedLocal |= !local.isEmpty();
        append();
        boolean isDue = tick - saved.tick() >= stateTicks || ring.room() <= 0;
        if (restorable != null && isDue && ring.mayTurn()) {
            turn(tick, true);
        }
    }

    private void append() throws IOException {
        ring.append(encoder.buffer().flip());
        encoder.buffer().clear();
    }

    /** Begins the first file, before a tick. */
    private void beginBefore(long tick) throws IOException {
        if (saved.number() == 0) {
            restorable = simulation
                    .capability(Restorable.class)
                    .filter(Restorable::restoresElsewhere)
                    .orElse(null);
            if (restorable == null) {
                warn();
            }
            turn(tick - 1, true);
        }
    }

    /**
     * Begins a file with the state after a tick. {@code follows} is false after a seek: then the state's number leaves a gap, so that
     * archives do not join this file to the files before it.
     */
    private void turn(long tick, boolean follows) throws IOException {
        SavedState next = new SavedState(tick, saved.number() + (follows ? 1 : 2), restorable != null);
        state.clear();
        if (restorable != null) {
            restorable.save(state);
        }
        encoder.putState(next.tick(), next.number(), next.hasState(), state);
        ByteBuffer record = encoder.buffer().flip();
        try {
            int bytes = header.limit() + record.remaining();
            if (bytes > ring.fileBytes()) {
                throw new IOException("a saved state takes " + bytes + " bytes, and each of " + FlightRing.FILES
                        + " files has " + ring.fileBytes() + "; give it more with maxBytes(...)");
            }
            ring.turn(header.rewind(), record, keeper);
        } finally {
            encoder.buffer().clear();
        }
        saved = next;
        notedLocal = false;
    }

    private void warn() {
        FailureReport.warn(() -> simulation.getClass().getName()
                + " saves no state from which another process could continue. The flight recorder keeps the run from its start,"
                + " for up to " + FlightRing.FILES * (long) ring.fileBytes() + " bytes, and then ends.");
    }
}
