package dev.escapement.render.web;

import dev.escapement.state.exchange.Window;
import dev.escapement.state.snapshot.BodyBlock;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.MotionBlock;
import dev.escapement.state.snapshot.MotionBreaks;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.Timeline;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Writes snapshots as pictures of the page's protocol. A picture has the changes since the last picture that its client was sent.
 *
 * <p>A window is quantised once for all clients, and clients with the same previous picture get the same buffer. A picture leaves out
 * blocks whose version the client has; from other blocks it contains only the bodies that moved by at least one unit of quantisation. One
 * thread, except {@link Picture}. Buffers are reused.
 */
final class PictureEncoder {

    enum Kind {
        LIVE,
        HISTORY
    }

    private static final int HEADER_BYTES = 68;
    private static final int PIECE_BYTES = 3 * Double.BYTES;
    private static final int MAX_PIECES = 64;
    private static final int MASK_INTS = PoseBlock.CAPACITY / Integer.SIZE;
    private static final int MOVED_BYTES = 3 * Short.BYTES + Integer.BYTES;
    private static final Quantised NOTHING = new Quantised();
    private static final long[] NO_DATA = {};

    private final long startNanos;
    private final Ints gone = new Ints(1);
    private final Ints came = new Ints(4);
    private final Ints snapped = new Ints(1);
    private final Ints quarantined = new Ints(1);
    private final Ints riders = new Ints(2);
    private final Ints centres = new Ints(4);
    private final Ints spins = new Ints(4);
    private final Ints full = new Ints(5);
    private final Ints blocks = new Ints(1 + MASK_INTS);
    private final List<Ints> lists = List.of(gone, came, snapped, quarantined, riders, centres, spins, full, blocks);
    private final double[] turn = new double[3];
    private final int[] changed = new int[PoseBlock.CAPACITY];
    private ByteBuffer moved = ByteBuffer.allocate(0);

    /** Quantised snapshots. A snapshot without users may be overwritten, unless it is the newest. */
    private final List<Quantised> quantised = new ArrayList<>();

    private @Nullable Quantised newest;
    private final Quantised past = new Quantised();

    private @Nullable Window window;
    private int number;
    private long nowNanos;
    private final List<Picture> round = new ArrayList<>();

    /** Free buffers. Any thread adds to them. */
    private final Queue<ByteBuffer> free = new ConcurrentLinkedQueue<>();

    /** A picture for one client or several. Any thread. */
    final class Picture {
        private final @Nullable Quantised from;
        final Quantised shown;
        private final ByteBuffer bytes;
        private final AtomicInteger users = new AtomicInteger(1);

        private Picture(@Nullable Quantised from, Quantised shown, ByteBuffer bytes) {
            this.from = from;
            this.shown = shown;
            this.bytes = bytes;
        }

        /** Adds a client, which must call {@link #giveBack}. */
        ByteBuffer take() {
            users.incrementAndGet();
            return bytes.duplicate();
        }

        /**
         * Releases a client's use; the last release frees the buffer for reuse. If a connection never releases its use, the buffer is
         * garbage-collected.
         */
        void giveBack() {
            if (users.decrementAndGet() == 0) {
                free.add(bytes);
            }
        }
    }

    /** Creates an encoder whose pictures have instants measured from {@code startNanos}. */
    PictureEncoder(long startNanos) {
        this.startNanos = startNanos;
    }

    /** Begins a round, in which all clients get the same window, of number {@code number}. */
    void begin(Window newWindow, int newNumber, long newNowNanos) {
        round.forEach(Picture::giveBack);
        round.clear();
        nowNanos = newNowNanos;
        window = newWindow;
        if (number != newNumber) {
            number = newNumber;
            newest = null;
        }
    }

    /**
     * Returns the picture of the window for a client whose last picture had {@code shown}, null for none. The client's new state is {@link
     * Picture#shown}.
     */
    Picture live(@Nullable Quantised shown) {
        Window of = Objects.requireNonNull(window);
        Quantised now = newest == null ? quantise(of.newest()) : newest;
        newest = now;
        Picture picture = null;
        for (Picture written : round) {
            picture = written.from == shown ? written : picture;
        }
        if (picture == null) {
            Quantised from = shown == null ? NOTHING : shown;
            long gap = shown == null ? 1 : now.tick - shown.tick;
            collect(of.newest(), from, now, gap > 1 && of.size() > 1 ? of.snapshot(of.size() - 2) : null, gap);
            picture = new Picture(shown, now, write(Kind.LIVE, from == NOTHING, number, of.newest(), of.timeline()));
            round.add(picture);
        }
        leave(shown);
        now.users++;
        return picture;
    }

    /** Releases the state of a client that gets no more pictures. */
    void leave(@Nullable Quantised shown) {
        if (shown != null) {
            shown.users--;
        }
    }

    private Quantised quantise(Snapshot snapshot) {
        Quantised into = null;
        for (Quantised one : quantised) {
            into = one.users == 0 ? one : into;
        }
        if (into == null) {
            into = new Quantised();
            quantised.add(into);
        }
        into.take(snapshot);
        return into;
    }

    /**
     * Encodes a complete picture of the past; the caller releases it. Marks the bodies that teleported or spawned in the picture's tick as
     * teleported.
     */
    Picture past(Snapshot snapshot, Timeline timeline) {
        past.take(snapshot);
        collect(snapshot, NOTHING, past, null, 1); // pictures of the past have no gaps
        for (int b = 0; b < snapshot.poses().blockCount(); b++) {
            MotionBreaks breaks = snapshot.motion(b).breaks();
            for (int s = 0; s < breaks.count(); s++) {
                MotionBreaks.Kind kind = breaks.kind(s);
                boolean isLive = past.block(b).generation[breaks.index(s)] != 0; // else the body despawned
                if (isLive && (kind == MotionBreaks.Kind.BROKEN || kind == MotionBreaks.Kind.SHIFTED)) {
                    snapped.add((b << PoseBlock.SHIFT) | breaks.index(s));
                }
            }
        }
        return new Picture(null, past, write(Kind.HISTORY, true, 0, snapshot, timeline));
    }

    private ByteBuffer write(Kind kind, boolean complete, int sequence, Snapshot snapshot, Timeline timeline) {
        int needed = HEADER_BYTES
                + MAX_PIECES * PIECE_BYTES
                + lists.stream().mapToInt(Ints::bytes).sum()
                + moved.position();
        ByteBuffer out = free.poll();
        if (out == null || out.capacity() < needed) {
            out = buffer(needed + needed / 4);
        }
        out.clear().put((byte) (kind == Kind.LIVE ? 1 : 2)).put((byte) (complete ? 1 : 0));
        out.putShort((short) 0).putInt(sequence).putDouble((double) snapshot.tick());
        putInstant(out, snapshot.dueNanos());
        putInstant(out, snapshot.publishedNanos());
        putInstant(out, nowNanos);
        out.putDouble(snapshot.originX()).putDouble(snapshot.originY()).putDouble(snapshot.originZ());
        write(timeline, out);
        for (Ints list : lists) {
            list.writeTo(out);
        }
        return out.put(moved.flip()).flip();
    }

    private void write(Timeline timeline, ByteBuffer out) {
        int countAt = out.position();
        out.putInt(0);
        timeline.pieces((pieceNanos, startSimNanos, numerator, denominator) -> {
            putInstant(out, pieceNanos);
            out.putDouble((double) startSimNanos).putDouble((double) numerator / denominator);
        });
        out.putInt(countAt, (out.position() - countAt) / PIECE_BYTES);
    }

    private void putInstant(ByteBuffer out, long nanos) {
        out.putDouble((double) (nanos - startNanos));
    }

    /** Allocates a direct buffer, so that sockets need not copy it. */
    private static ByteBuffer buffer(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * Collects the changes between two states.
     *
     * @param before the snapshot of the tick before, if ticks were left out; otherwise null
     * @param gap    the number of ticks since the client's last picture
     */
    private void collect(Snapshot snapshot, Quantised from, Quantised to, @Nullable Snapshot before, long gap) {
        lists.forEach(list -> list.size = 0);
        moved.clear();
        for (int b = 0; b < Math.max(from.blockCount, to.blockCount); b++) {
            Quantised.Block old = from.block(b);
            Quantised.Block now = to.block(b);
            if (old.posesVersion != now.posesVersion || old.bodiesVersion != now.bodiesVersion) {
                findChanged(old, now);
                collectChanged(b, old, now, b < to.blockCount ? snapshot.bodyBlock(b).userData : NO_DATA);
            }
            for (int i = 0; b < to.blockCount && i < snapshot.poses().slotsIn(b); i++) {
                if (snapshot.bodyBlock(b).quarantined[i] && now.generation[i] != 0) {
                    quarantined.add((b << PoseBlock.SHIFT) | i);
                }
                long parent = snapshot.bodyBlock(b).parent(i);
                if (parent != 0 && snapshot.bodies().exists(parent)) {
                    riders.add((b << PoseBlock.SHIFT) | i, BodyId.slot(parent));
                }
                BodyBlock bodies = snapshot.bodyBlock(b);
                if (bodies.isOffCentre(i)) {
                    add(
                            centres,
                            (b << PoseBlock.SHIFT) | i,
                            bodies.centreOfMass(i, 0),
                            bodies.centreOfMass(i, 1),
                            bodies.centreOfMass(i, 2));
                }
            }
            if (b < to.blockCount && snapshot.motion(b).changedTick() == snapshot.tick()) {
                boolean follows = before != null && b < before.poses().blockCount();
                collectSpins(snapshot, follows ? before : null, b, gap);
            }
        }
    }

    /**
     * Collects the rotation vectors of bodies that rotate by more than 180 degrees between pictures. The rotations in the two pictures do
     * not determine how often, and in which direction, such a body rotated.
     */
    private void collectSpins(Snapshot snapshot, @Nullable Snapshot before, int b, long gap) {
        MotionBlock motion = snapshot.motion(b);
        MotionBreaks breaks = motion.breaks();
        int first = b << PoseBlock.SHIFT;
        for (int s = 0; s < breaks.count(); s++) {
            if (breaks.kind(s) == MotionBreaks.Kind.SPINNING) {
                add(spins, first + breaks.index(s), breaks.x(s), breaks.y(s), breaks.z(s));
            }
        }
        float fast = (float) (Math.cos(Math.PI / (gap + 1) / 2) - 1);
        for (int i = 0;
                before != null
                        && motion.leastTurn() < fast
                        && i < snapshot.poses().slotsIn(b);
                i++) {
            if (motion.turn[i] < fast && breaks.last(i) < 0) {
                snapshot.poses().block(b).rotationSince(i, before.poses().block(b), turn);
                add(spins, first + i, (float) turn[0], (float) turn[1], (float) turn[2]);
            }
        }
    }

    private static void add(Ints list, int slot, float x, float y, float z) {
        list.add(slot, Float.floatToRawIntBits(x), Float.floatToRawIntBits(y), Float.floatToRawIntBits(z));
    }

    /** Finds changed bodies in a separate loop without branches, so that it is compiled to vector code. */
    private void findChanged(Quantised.Block old, Quantised.Block now) {
        for (int i = 0; i < PoseBlock.CAPACITY; i++) {
            changed[i] = (old.x[i] ^ now.x[i])
                    | (old.y[i] ^ now.y[i])
                    | (old.z[i] ^ now.z[i])
                    | (old.rotation[i] ^ now.rotation[i])
                    | (old.generation[i] ^ now.generation[i])
                    | (old.teleports[i] ^ now.teleports[i]);
        }
    }

    private void collectChanged(int b, Quantised.Block old, Quantised.Block now, long[] userData) {
        if (moved.remaining() < PoseBlock.CAPACITY * MOVED_BYTES) {
            moved = buffer(2 * moved.capacity() + PoseBlock.CAPACITY * MOVED_BYTES)
                    .put(moved.flip());
        }
        int mask = blocks.reserve(1 + MASK_INTS) + 1;
        Arrays.fill(blocks.values, mask, mask + MASK_INTS, 0);
        int before = moved.position();
        for (int i = 0; i < PoseBlock.CAPACITY; i++) {
            if (changed[i] == 0) {
                continue;
            }
            int slot = (b << PoseBlock.SHIFT) | i;
            int generation = now.generation[i];
            int dx = now.x[i] - old.x[i];
            int dy = now.y[i] - old.y[i];
            int dz = now.z[i] - old.z[i];
            boolean isNew = generation != old.generation[i];
            if (isNew && generation != 0) {
                came.add(slot, generation, (int) userData[i], (int) (userData[i] >>> Integer.SIZE));
            } else if (isNew) {
                gone.add(slot);
                continue;
            } else if (now.teleports[i] != old.teleports[i]) {
                snapped.add(slot);
            }
            if (isNew || (short) dx != dx || (short) dy != dy || (short) dz != dz) {
                full.add(slot, now.x[i], now.y[i], now.z[i], now.rotation[i]);
            } else {
                blocks.values[mask + (i >>> 5)] |= 1 << i;
                moved.putShort((short) dx)
                        .putShort((short) dy)
                        .putShort((short) dz)
                        .putInt(now.rotation[i]);
            }
        }
        if (moved.position() > before) {
            blocks.values[mask - 1] = b;
            blocks.size += 1 + MASK_INTS;
        }
    }

    /** A list of numbers, collected and then written. It grows, and is reused. */
    private static final class Ints {

        private final int perEntry;
        private int[] values = new int[64];
        private int size;

        Ints(int perEntry) {
            this.perEntry = perEntry;
        }

        void add(int... entry) {
            int at = reserve(entry.length);
            System.arraycopy(entry, 0, values, at, entry.length);
            size += entry.length;
        }

        /** Makes room in {@link #values} for the caller to write. Returns its first index. */
        int reserve(int more) {
            if (size + more > values.length) {
                values = Arrays.copyOf(values, Math.max(size + more, 2 * values.length));
            }
            return size;
        }

        void writeTo(ByteBuffer out) {
            out.putInt(size / perEntry);
            out.asIntBuffer().put(values, 0, size);
            out.position(out.position() + size * Integer.BYTES);
        }

        int bytes() {
            return Integer.BYTES * (1 + size);
        }
    }
}
