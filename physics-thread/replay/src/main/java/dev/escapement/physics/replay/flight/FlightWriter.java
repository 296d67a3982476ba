package dev.escapement.physics.replay.flight;

import dev.escapement.physics.command.CommandData;
import dev.escapement.physics.replay.format.LogHeader;
import dev.escapement.physics.replay.format.SavedState;
import dev.escapement.physics.replay.format.TickEncoder;
import dev.escapement.physics.restore.Restorable;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.physics.usercode.FailureReport;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Writes what a {@link FlightRecorder} receives to its ring, and turns it with a saved state.
 *
 * <p>Physics thread only. Allocates nothing, but where it saves a state, or looks for the files. Only a seek may create a file.
 */
final class FlightWriter {

    private static final int FIRST_BYTES = 1 << 16;

    private final FlightRing ring;
    private final ByteBuffer header;
    private final int headerBytes;
    private final Simulation simulation;
    private final TickEncoder encoder;
    private final StateBuffer state = new StateBuffer();
    private final long stateTicks;
    private final Executor keeper;

    /** Null if no other simulation can continue from a state that this one saves. */
    private @Nullable Restorable restorable;

    private SavedState saved = SavedState.AS_BUILT;

    /** The last tick that was begun, or to which the run went back; before the first, the one before it. */
    private long lastBegun;

    private boolean notedLocal;

    /** Creates a writer that saves a state every {@code stateTicks} ticks. The keeper prepares the files to write to. */
    FlightWriter(FlightRing ring, LogHeader header, Simulation simulation, long stateTicks, Executor keeper) {
        this.ring = ring;
        this.header = header.encode();
        headerBytes = this.header.remaining();
        this.simulation = simulation;
        this.stateTicks = stateTicks;
        this.keeper = keeper;
        encoder = new TickEncoder(header.commandTypes(), FIRST_BYTES);
    }

    /** Writes a command before it runs. Of commands that are not data, writes the class of the first since the saved state. */
    void command(long tick, Object command) throws IOException {
        if (command instanceof CommandData data) {
            makeRoom(TickEncoder.maxBytes(data), tick - 1);
            encoder.put(data);
            append();
        } else if (!notedLocal) {
            makeRoom(FIRST_BYTES, tick - 1);
            notedLocal = true;
            encoder.putLocal(FailureReport.nameOf(command));
            append();
        }
    }

    /** Writes what a tick is about to get, before its step. */
    void begin(Tick tick) throws IOException {
        makeRoom(encoder.maxBytes(tick.input()), tick.number() - 1);
        encoder.putBegun(tick);
        append();
        lastBegun = tick.number();
    }

    /**
     * Notes that the run went back to a tick. If the saved state of the current file is later, or the file has no room for the note,
     * another file begins with the tick, and later archives start there or later. A run without saved states is only repeated from its
     * start.
     */
    void sought(long tick) throws IOException {
        if (saved.number() > 0) {
            if (restorable == null) {
                makeRoom(TickEncoder.WENT_BACK_BYTES, lastBegun);
            }
            if (restorable == null || (tick >= saved.tick() && ring.hasRoom(TickEncoder.WENT_BACK_BYTES))) {
                encoder.putWentBack(tick);
                append();
            } else {
                turn(tick, false);
            }
        }
        lastBegun = tick; // last: a turn sets it too
    }

    /** Writes the state after a tick, and saves it and looks for the files, if it is time to. The simulation is at rest. */
    void end(long tick) throws IOException {
        if (ring.hasRoom(TickEncoder.HASH_BYTES)) { // else the log lacks it, and the next file starts after this tick
            encoder.putHash(simulation.hash());
            append();
        }
        if (restorable != null && tick - saved.tick() >= stateTicks && ring.isPrepared()) {
            turn(tick, true);
        }
        if (tick % stateTicks == 0) {
            ring.requireThere();
        }
    }

    /** Makes room for a record that follows a tick. */
    private void makeRoom(long bytes, long tick) throws IOException {
        if (!ring.hasRoom(bytes) && ring.isPrepared()) {
            turn(tick, true);
        }
        if (!ring.hasRoom(bytes)) {
            throw new IOException("its ring has no room for a record of " + bytes + " bytes after tick " + tick
                    + " and a state of " + state.size() + " bytes; give it more with maxBytes(...)");
        }
    }

    private void append() throws IOException {
        ring.append(encoder.buffer().flip());
        encoder.buffer().clear();
    }

    /** Begins a file with the state after a tick. If it does not follow the last one, what is archived later begins with it or later. */
    private void turn(long tick, boolean follows) throws IOException {
        if (saved.number() == 0) {
            restorable = simulation
                    .capability(Restorable.class)
                    .filter(Restorable::restoresElsewhere)
                    .orElse(null);
            if (restorable == null) {
                warn();
            }
        }
        SavedState next = new SavedState(tick, saved.number() + (follows ? 1 : 2), kind());
        state.clear();
        if (restorable != null) {
            restorable.save(state);
        }
        encoder.put(next, state);
        ByteBuffer record = encoder.buffer().flip();
        try {
            int bytes = headerBytes + record.remaining();
            if (bytes > ring.fileBytes()) {
                throw new IOException("a saved state takes " + bytes + " bytes, and each of " + FlightRing.FILES
                        + " files has " + ring.fileBytes() + "; give it more with maxBytes(...)");
            }
            ring.turn(header.clear().limit(headerBytes), record, keeper);
        } finally {
            encoder.buffer().clear();
        }
        saved = next;
        lastBegun = tick;
        notedLocal = false;
    }

    private SavedState.Kind kind() {
        if (restorable != null) {
            return SavedState.Kind.SAVED;
        }
        return saved.number() == 0 ? SavedState.Kind.AS_BUILT : SavedState.Kind.CONTINUES;
    }

    private void warn() {
        FailureReport.warn(() -> simulation.getClass().getName()
                + " saves no state from which another process could continue. The flight recorder keeps the run from its start,"
                + " for up to " + FlightRing.FILES * (long) ring.fileBytes()
                + " bytes; later files have the last of its input, which cannot be repeated.");
    }
}
