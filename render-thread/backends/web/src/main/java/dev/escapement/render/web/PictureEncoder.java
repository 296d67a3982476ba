package dev.escapement.render.web;

import dev.escapement.state.snapshot.BodyBlock;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.Timeline;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Writes snapshots as the pictures of the page's protocol: what has changed since the picture that a client was sent before.
 *
 * <p>Blocks whose version the client has are skipped, and of the others only bodies that moved by a unit are written. One thread. Allocates
 * nothing unless there are more changes than ever before.
 */
final class PictureEncoder {

    /** What a picture is for. */
    enum Kind {
        LIVE,
        HISTORY
    }

    private static final int HEADER_BYTES = 72;
    private static final int PIECE_BYTES = 3 * Double.BYTES;
    private static final int MOST_PIECES = 64;
    private static final int MASK_INTS = PoseBlock.CAPACITY / Integer.SIZE;
    private static final int MOVED_BYTES = 3 * Short.BYTES + Integer.BYTES;
    private static final int SHRINK = 4;

    private final long startNanos;
    private final Ints gone = new Ints();
    private final Ints came = new Ints();
    private final Ints snapped = new Ints();
    private final Ints quarantined = new Ints();
    private final Ints full = new Ints();
    private final Ints blocks = new Ints();
    private final boolean[] fresh = new boolean[PoseBlock.CAPACITY];
    private ByteBuffer moved = buffer(PoseBlock.CAPACITY * MOVED_BYTES);

    /**
     * Creates an encoder.
     *
     * @param startNanos the instant that all instants are measured from
     */
    PictureEncoder(long startNanos) {
        this.startNanos = startNanos;
    }

    static ByteBuffer buffer(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * Writes a picture.
     *
     * @param sent what the client knows; what it will know then
     * @param into is overwritten, if it is large enough
     * @return {@code into} or a larger buffer, ready to be read
     */
    ByteBuffer encode(
            Kind kind,
            int sequence,
            Snapshot snapshot,
            Timeline timeline,
            long nowNanos,
            SentBodies sent,
            ByteBuffer into) {
        boolean complete = needsComplete(snapshot, sent);
        if (complete || !collect(snapshot, sent)) {
            complete = true;
            sent.forget();
            sent.quantum = Quantised.quantum(snapshot);
            collect(snapshot, sent);
        }
        ByteBuffer out = room(into);
        out.put((byte) (kind == Kind.LIVE ? 1 : 2))
                .put((byte) (complete ? 1 : 0))
                .putShort((short) 0);
        out.putInt(sequence).putDouble((double) snapshot.tick());
        putInstant(out, snapshot.dueNanos());
        putInstant(out, snapshot.publishedNanos());
        putInstant(out, nowNanos);
        out.putDouble(snapshot.originX()).putDouble(snapshot.originY()).putDouble(snapshot.originZ());
        out.putFloat(sent.quantum);
        write(timeline, out);
        gone.writeTo(out, 1);
        came.writeTo(out, 4);
        snapped.writeTo(out, 1);
        quarantined.writeTo(out, 1);
        full.writeTo(out, 5);
        blocks.writeTo(out, 1 + MASK_INTS);
        return out.put(moved.flip()).flip();
    }

    /** Where the quantum must change: it is coarser than needed, because what was far away is gone. */
    private static boolean needsComplete(Snapshot snapshot, SentBodies sent) {
        return sent.quantum == 0
                || (sent.quantum > Quantised.FINEST_QUANTUM && Quantised.quantum(snapshot) < sent.quantum / SHRINK);
    }

    private ByteBuffer room(ByteBuffer into) {
        int needed = HEADER_BYTES
                + MOST_PIECES * PIECE_BYTES
                + gone.bytes()
                + came.bytes()
                + snapped.bytes()
                + quarantined.bytes()
                + full.bytes()
                + blocks.bytes()
                + moved.position();
        return needed <= into.capacity() ? into.clear() : buffer(needed + needed / 4);
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

    /** Collects what has changed. False if a position does not fit. */
    private boolean collect(Snapshot snapshot, SentBodies sent) {
        gone.clear();
        came.clear();
        snapped.clear();
        quarantined.clear();
        full.clear();
        blocks.clear();
        moved.clear();
        int count = snapshot.poses().blockCount();
        sent.reserve(count);
        for (int b = 0; b < sent.blocks.length; b++) {
            SentBodies.Block known = sent.blocks[b];
            if (b >= count) {
                removeAll(b, known);
                continue;
            }
            BodyBlock bodies = snapshot.bodyBlock(b);
            long posesVersion = snapshot.motion(b).changedTick();
            boolean otherBodies = known.bodiesVersion != bodies.changedTick();
            if (otherBodies) {
                collectBodies(snapshot, b, bodies, known);
            }
            if (known.quarantined > 0) {
                collectQuarantined(b, bodies, known);
            }
            if (otherBodies || known.posesVersion != posesVersion) {
                known.posesVersion = posesVersion;
                if (!collectPoses(snapshot.poses().block(b), b, known, sent.quantum)) {
                    return false;
                }
            }
        }
        return true;
    }

    private void removeAll(int b, SentBodies.Block known) {
        if (known.empty) {
            return;
        }
        for (int i = 0; i < PoseBlock.CAPACITY; i++) {
            if (known.generation[i] != 0) {
                gone.add((b << PoseBlock.SHIFT) | i);
                known.generation[i] = 0;
            }
        }
        known.empty = true;
        known.quarantined = 0;
        known.bodiesVersion = SentBodies.UNKNOWN;
        known.posesVersion = SentBodies.UNKNOWN;
    }

    private void collectBodies(Snapshot snapshot, int b, BodyBlock bodies, SentBodies.Block known) {
        int slots = snapshot.poses().slotsIn(b);
        int quarantinedNow = 0;
        boolean empty = true;
        for (int i = 0; i < PoseBlock.CAPACITY; i++) {
            int generation = i < slots && BodyId.isLive(bodies.generation[i]) ? bodies.generation[i] : 0;
            int slot = (b << PoseBlock.SHIFT) | i;
            boolean isNew = generation != known.generation[i];
            fresh[i] = isNew;
            if (generation != 0) {
                empty = false;
                quarantinedNow += bodies.quarantined[i] ? 1 : 0;
                if (isNew) {
                    came.add(slot);
                    came.add(generation);
                    came.add((int) bodies.userData[i]);
                    came.add((int) (bodies.userData[i] >>> Integer.SIZE));
                } else if (bodies.teleports[i] != known.teleports[i]) {
                    snapped.add(slot);
                }
                known.teleports[i] = bodies.teleports[i];
            } else if (isNew) {
                gone.add(slot);
            }
            known.generation[i] = generation;
        }
        known.quarantined = quarantinedNow;
        known.empty = empty;
        known.bodiesVersion = bodies.changedTick();
    }

    private void collectQuarantined(int b, BodyBlock bodies, SentBodies.Block known) {
        for (int i = 0; i < PoseBlock.CAPACITY; i++) {
            if (known.generation[i] != 0 && bodies.quarantined[i]) {
                quarantined.add((b << PoseBlock.SHIFT) | i);
            }
        }
    }

    /** False if a position does not fit; then the client's state is of no use. */
    private boolean collectPoses(PoseBlock poses, int b, SentBodies.Block known, float quantum) {
        double perMetre = 1.0 / quantum;
        int outside = 0;
        reserveMoved();
        int mask = blocks.size + 1;
        blocks.reserve(1 + MASK_INTS);
        Arrays.fill(blocks.values, mask, mask + MASK_INTS, 0);
        boolean anyMoved = false;
        for (int i = 0; i < PoseBlock.CAPACITY; i++) {
            if (known.generation[i] == 0) {
                continue;
            }
            int x = (int) Math.rint(poses.px[i] * perMetre); // beyond an int: the nearest one, which is outside too
            int y = (int) Math.rint(poses.py[i] * perMetre);
            int z = (int) Math.rint(poses.pz[i] * perMetre);
            int rotation = Quantised.rotation(poses.qx[i], poses.qy[i], poses.qz[i], poses.qw[i]);
            outside |= (x + Quantised.MOST_UNITS) | (y + Quantised.MOST_UNITS) | (z + Quantised.MOST_UNITS);
            int dx = x - known.x[i];
            int dy = y - known.y[i];
            int dz = z - known.z[i];
            boolean isNew = fresh[i];
            if (!isNew && (dx | dy | dz) == 0 && rotation == known.rotation[i]) {
                continue;
            }
            known.x[i] = x;
            known.y[i] = y;
            known.z[i] = z;
            known.rotation[i] = rotation;
            if (isNew || (short) dx != dx || (short) dy != dy || (short) dz != dz) {
                full.add((b << PoseBlock.SHIFT) | i);
                full.add(x);
                full.add(y);
                full.add(z);
                full.add(rotation);
            } else {
                blocks.values[mask + (i >>> 5)] |= 1 << i;
                moved.putShort((short) dx)
                        .putShort((short) dy)
                        .putShort((short) dz)
                        .putInt(rotation);
                anyMoved = true;
            }
        }
        Arrays.fill(fresh, false);
        if (anyMoved) {
            blocks.values[mask - 1] = b;
            blocks.size += 1 + MASK_INTS;
        }
        return outside >= 0;
    }

    private void reserveMoved() {
        int needed = PoseBlock.CAPACITY * MOVED_BYTES;
        if (moved.remaining() < needed) {
            ByteBuffer larger = buffer(2 * (moved.capacity() + needed));
            moved = larger.put(moved.flip());
        }
    }
}
