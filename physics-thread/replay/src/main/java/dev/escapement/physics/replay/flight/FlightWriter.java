package dev.escapement.physics.replay.flight;

import dev.escapement.physics.command.CommandData;
import dev.escapement.physics.replay.format.LogHeader;
import dev.escapement.physics.replay.format.SavedState;
import dev.escapement.physics.replay.format.TickEncoder;
import dev.escapement.physics.restore.BodyStates;
import dev.escapement.physics.restore.Restorable;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.physics.usercode.FailureReport;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Writes what a {@link FlightRecorder} is told to its ring, and turns it with a saved state.
 *
 * <p>Physics thread only. Allocates nothing, but where a state is saved, or the files are looked for.
 */
final class FlightWriter {

    private static final int FIRST_BYTES = 1 << 16;

    private final FlightRing ring;
    private final ByteBuffer header;
    private final int headerBytes;
    private final Simulation simulation;
    private final @Nullable BodyStates bodies;
    private final TickEncoder encoder;
    private final StateBuffer state = new StateBuffer();
    private final long stateTicks;
    private final int hashTicks;
    private final FlightPrivacy privacy;

    /** Null if no other simulation can go on from what this one saves. */
    private @Nullable Restorable restorable;

    private SavedState saved = SavedState.AS_BUILT;

    /** The last tick that was begun, or to which the run went back; before the first, the one before it. */
    private long lastBegun;

    private boolean notedLocal;

    /** Creates a writer that saves a state every {@code stateTicks} ticks, and hashes it every {@code hashTicks}. */
    FlightWriter(
            FlightRing ring,
            LogHeader header,
            Simulation simulation,
            long stateTicks,
            int hashTicks,
            FlightPrivacy privacy) {
        this.ring = ring;
        this.header = header.encode();
        headerBytes = this.header.remaining();
        this.simulation = simulation;
        this.stateTicks = stateTicks;
        this.hashTicks = hashTicks;
        this.privacy = privacy;
        bodies = simulation.capability(BodyStates.class).orElse(null);
        encoder = new TickEncoder(header.commandTypes(), FIRST_BYTES, privacy::keeps);
    }

    /** Writes a command before it runs. Of commands that are not data, writes the class of the first since the saved state. */
    void command(long tick, Object command) throws IOException {
        if (command instanceof CommandData data) {
            CommandData written = privacy.written(data);
            makeRoom(TickEncoder.maxBytes(written), tick - 1);
            encoder.put(written);
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
     * Notes that the run went back to a tick. A file comes to it itself, from the state of its part or from the start of the run. If the
     * state of the part is later, or the part has no room to say so, another part begins with the tick: a file that is put aside later starts
     * there, or later.
     */
    void sought(long tick) throws IOException {
        boolean hasIt = restorable == null || tick >= saved.tick();
        boolean goesOn =
                kind(true) == SavedState.Kind.CONTINUES || (hasIt && ring.room() >= TickEncoder.WENT_BACK_BYTES);
        if (!goesOn && saved.number() > 0) {
            turn(tick, false);
        } else if (goesOn) {
            makeRoom(TickEncoder.WENT_BACK_BYTES, lastBegun);
            encoder.putWentBack(tick);
            append();
        }
        lastBegun = tick; // last: a turn sets it too
    }

    /** Writes the state after a tick, and saves it and looks for the files, if it is time to. The simulation is at rest. */
    void end(long tick) throws IOException {
        if (tick % hashTicks == 0) {
            hash();
        }
        boolean timely = restorable != null || saved.number() >= FlightRing.FILES;
        if (timely && tick - saved.tick() >= stateTicks) {
            turn(tick, true);
        }
        if (tick % stateTicks == 0) {
            ring.requireThere();
        }
    }

    /** Without room the log has no state of this tick, and the next part starts after it. */
    private void hash() throws IOException {
        if (ring.room() >= TickEncoder.AFTER_BYTES) {
            encoder.putAfter(simulation.hash());
            append();
        }
    }

    /** Makes room for a record that follows a tick. */
    private void makeRoom(long bytes, long tick) throws IOException {
        if (ring.room() < bytes) {
            turn(tick, true);
        }
        if (ring.room() < bytes) {
            throw new IOException("its ring has no room for a record of " + bytes + " bytes after tick " + tick
                    + " and a state of " + state.size() + " bytes; give it more with maxBytes(...)");
        }
    }

    private void append() throws IOException {
        ring.append(encoder.buffer().flip());
        encoder.buffer().clear();
    }

    /** Begins a part with the state after a tick. If it does not follow the last one, files begin with it or later. */
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
        SavedState next = new SavedState(tick, saved.number() + (follows ? 1 : 2), kind(follows));
        state.clear();
        if (restorable != null) {
            restorable.save(state);
        } else if (next.kind() == SavedState.Kind.BODIES && bodies != null) {
            saveBodies(bodies);
        }
        encoder.put(next, state);
        ByteBuffer record = encoder.buffer().flip();
        try {
            int bytes = headerBytes + record.remaining();
            if (bytes > ring.fileBytes()) {
                throw new IOException("a saved state takes " + bytes + " bytes, and each of " + FlightRing.FILES
                        + " files has " + ring.fileBytes() + "; give it more with maxBytes(...)");
            }
            ring.turn(header.clear().limit(headerBytes), record);
        } finally {
            encoder.buffer().clear();
        }
        saved = next;
        lastBegun = tick;
        notedLocal = false;
    }

    private SavedState.Kind kind(boolean follows) {
        if (restorable != null) {
            return SavedState.Kind.SAVED;
        }
        if (saved.number() == 0) {
            return SavedState.Kind.AS_BUILT;
        }
        return follows && saved.number() < FlightRing.FILES ? SavedState.Kind.CONTINUES : SavedState.Kind.BODIES;
    }

    private void saveBodies(BodyStates read) {
        long[] bits = new long[read.stateComponents().size()];
        state.put((long) read.bodyCount());
        for (int body = 0; body < read.bodyCount(); body++) {
            read.readState(body, bits, 0);
            for (long component : bits) {
                state.put(component);
            }
        }
    }

    private void warn() {
        FailureReport.warn(() -> simulation.getClass().getName()
                + " saves no state from which another process could go on. So the flight recorder keeps the run from its start,"
                + " for up to " + FlightRing.FILES * (long) ring.fileBytes()
                + " bytes; after that only states of bodies are kept, which do not repeat to the bit.");
    }
}
