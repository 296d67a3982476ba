package dev.escapement.state.wire;

import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.TickRate;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A small world for one receiver: the bodies of its {@link Interest}, in slots of their own. For each send the view selects the most
 * important bodies, as many as the receiver's cap on bytes allows.
 *
 * <p>Used by the thread of the {@link SnapshotSender}. Allocates only when the world outgrows what it has seen.
 */
final class InterestView {

    /** The view examines each body outside the interest once in this many sends. */
    private static final int SLICES = 3;

    /** The part of the bytes of one second that may be sent at once. */
    private static final double BURST = 0.25;

    /** The approximate bytes of an entering body, which is sent several times, until the receiver acknowledges a packet. */
    private static final double ENTERING_BYTES = 90;

    private static final double ENTERED_BYTES = ENTERING_BYTES / 3;

    private static final double FIRST_BYTES_PER_BODY = 6;
    private static final double MAX_BYTES_PER_BODY = 60;
    private static final int MIN_MEASURED = 16;
    private static final double MEASURING = 1.0 / 16;

    /** Bodies enter only while the interest needs less than this share of the cap. Without this margin they would leave again at once. */
    private static final double USED = 0.9;

    /** The approximate number of sends in which saved bytes are spent, and overspent bytes saved again. */
    private static final double PAID_BACK_IN = 20;

    /** The factor on the importance of bodies inside the interest. Without it, bodies at its edge would enter or leave in each send. */
    private static final float STAY = 1.1f;

    /** The time for which an unneeded body stays. Without it, a body at the edge of a region would flicker. */
    private static final double LINGER_SECONDS = 0.5;

    private static final double MAX_IMPORTANCE = 1e30;
    private static final double GOLDEN = 0.6180339887;

    /** The flag in a {@link #key}'s lower half for a body outside the interest. The key then has its slot in the world, not here. */
    private static final int OUTSIDE = 1 << 30;

    private final Interest interest;
    private final InterestSettings settings;
    private final SnapshotEncoder encoder;
    private final double ticksPerSend;
    private final double phase;
    private final double sendSeconds;
    private final double lingerTicks;

    // Arrays per slot of this view.
    private final int[] worldSlots;
    private final boolean[] moves;
    private final long[] neededTick;
    private int slots;

    private final int[] emptySlots;
    private int empties;

    /** Per slot of the world: the body's slot in this view plus one; 0 if the body is outside the interest. */
    private int[] insideSlots = {};

    private long[] keys = {};
    private int nextOutside;

    /** The importance above which bodies outside the interest may enter; more than 0 only while there are too many bodies. */
    private float least;

    private long send = Long.MIN_VALUE;

    // The bytes that may still be sent, and the recent mean bytes of a moving body.
    private final SharedBudget cap;
    private int sentBytes;
    private double bytesPerBody = FIRST_BYTES_PER_BODY;
    private int movedBodies;
    private int entered;

    InterestView(Interest interest, InterestSettings settings, SnapshotEncoder world, TickRate rate, int index) {
        this.interest = interest;
        this.settings = settings;
        ticksPerSend = settings.ticksPerSend(rate);
        phase = index * GOLDEN % 1; // spreads the sends to the receivers over the ticks
        sendSeconds = ticksPerSend * rate.dtSeconds();
        lingerTicks = LINGER_SECONDS * rate.inHertz();
        encoder = new SnapshotEncoder(world, (int) Math.ceil(ticksPerSend));
        int max = settings.maxBodies();
        worldSlots = new int[max];
        moves = new boolean[max];
        neededTick = new long[max];
        emptySlots = new int[max];
        Arrays.fill(worldSlots, -1);
        cap = new SharedBudget(settings.bytesPerSecond(), settings.bytesPerSecond() * BURST);
    }

    SnapshotEncoder encoder() {
        return encoder;
    }

    void sent(int bytes) {
        sentBytes += bytes;
        cap.take(bytes);
    }

    /** Returns whether the cap allows no packet now. */
    boolean isExhausted() {
        return cap.leftBytes() < -settings.bytesPerSecond() * BURST;
    }

    /** Copies the newest tick of the world if a send is due. While simulated time stands still, copies a new tick even if none is due. */
    void take(WireTick world, boolean stands, long nowNanos) {
        cap.begin(nowNanos);
        long next = (long) Math.floor(world.tick / ticksPerSend + phase);
        if (world.tick == encoder.newestTick() || (next == send && !stands)) {
            return;
        }
        boolean isFirst = send == Long.MIN_VALUE;
        send = next;
        measure();
        WireTick last = kept(encoder.newestTick(), world);
        choose(world, last, isFirst);
        write(world, last);
    }

    /** Measures the mean bytes per moving body since the last send. */
    private void measure() {
        if (movedBodies >= MIN_MEASURED) {
            double bytes = (sentBytes - entered * ENTERED_BYTES) / movedBodies;
            bytesPerBody += (Math.max(1, Math.min(MAX_BYTES_PER_BODY, bytes)) - bytesPerBody) * MEASURING;
        }
        sentBytes = 0;
        movedBodies = 0;
        entered = 0;
    }

    /** Returns a tick that was sent before; null if {@code next} reuses the memory of that tick. */
    private @Nullable WireTick kept(long tick, WireTick next) {
        boolean isRecent = tick != Snapshot.NEVER_WRITTEN && next.tick - tick < SnapshotEncoder.TICKS;
        return isRecent ? encoder.tick(tick) : null;
    }

    private float importance(WireTick world, int slot) {
        int at = slot << WireTick.POSE_SHIFT;
        double importance = interest.importance(
                BodyId.of(slot, world.generation[slot]),
                world.userData(slot),
                world.originX + encoder.code.metres(world.poses[at]),
                world.originY + encoder.code.metres(world.poses[at + 1]),
                world.originZ + encoder.code.metres(world.poses[at + 2]));
        return importance > 0 ? (float) Math.min(MAX_IMPORTANCE, importance) : 0;
    }

    private static long key(float importance, int slot) {
        return (long) Float.floatToRawIntBits(importance) << Integer.SIZE
                | slot; // sorts by importance: the bits of positive floats have the order of the floats
    }

    /** Lets the most important bodies enter or stay, as far as the cap allows. */
    private void choose(WireTick world, @Nullable WireTick last, boolean isFirst) {
        if (insideSlots.length < world.slots) {
            insideSlots = Arrays.copyOf(insideSlots, Math.max(world.slots, 2 * insideSlots.length));
            keys = new long[insideSlots.length + worldSlots.length];
        }
        int count = keysInside(world, last);
        count = keysOutside(world, count, isFirst ? world.slots : world.slots / SLICES + 1);
        Arrays.sort(keys, 0, count);
        double movingRoom = (settings.bytesPerSecond() * sendSeconds + cap.leftBytes() / PAID_BACK_IN) / bytesPerBody;
        double keptRoom = (1 - USED) * movingRoom;
        int entriesLeft = (int) Math.max(1, cap.leftBytes() / ENTERING_BYTES);
        int kept = 0;
        least = 0;
        boolean isFull = false;
        boolean isLimited = false;
        for (int i = count - 1; i >= 0; i--) {
            int slot = (int) keys[i];
            boolean isOutside = (slot & OUTSIDE) != 0;
            isFull |= kept == settings.maxBodies() || (kept > 0 && movingRoom < 1);
            if (isOutside) {
                boolean hasRoom = !isFull && movingRoom >= keptRoom;
                isLimited |= !hasRoom;
                if (!hasRoom || entriesLeft == 0) {
                    continue;
                }
                entriesLeft--;
                enter(slot & ~OUTSIDE, world.tick);
            } else if (isFull) {
                leave(slot);
                continue;
            }
            movingRoom -= isOutside || moves[slot] ? 1 : 0;
            kept++;
            float importance = Float.intBitsToFloat((int) (keys[i] >>> Integer.SIZE));
            least = importance > 0 ? importance : least; // a body that lingers is no bound for the others
        }
        least = isFull || isLimited ? least : 0;
    }

    private int keysInside(WireTick world, @Nullable WireTick last) {
        int count = 0;
        for (int slot = 0; slot < slots; slot++) {
            int at = worldSlots[slot];
            if (at < 0) {
                continue;
            }
            boolean isLive = at < world.slots && BodyId.isLive(world.generation[at]);
            float importance = isLive ? importance(world, at) : 0;
            if (importance > 0) {
                neededTick[slot] = world.tick;
            } else if (!isLive || !lingers(slot, world, last)) {
                leave(slot);
                continue;
            }
            moves[slot] = last == null || slot >= last.slots || world.poseDiffers(at, last, slot) != 0;
            keys[count++] = key(importance * STAY, slot);
        }
        return count;
    }

    /** Returns whether a body without importance stays: the slot had the same body in the last send, and it was needed recently. */
    private boolean lingers(int slot, WireTick world, @Nullable WireTick last) {
        return last != null
                && slot < last.slots
                && last.generation[slot] == world.generation[worldSlots[slot]]
                && world.tick - neededTick[slot] <= lingerTicks;
    }

    private int keysOutside(WireTick world, int inside, int looks) {
        int count = inside;
        for (int i = Math.min(looks, world.slots); i > 0; i--) {
            nextOutside = nextOutside < world.slots ? nextOutside : 0;
            int slot = nextOutside++;
            if (insideSlots[slot] == 0 && BodyId.isLive(world.generation[slot])) {
                float importance = importance(world, slot);
                if (importance > least) {
                    keys[count++] = key(importance, slot | OUTSIDE);
                }
            }
        }
        return count;
    }

    /** Gives a body a slot. If all slots are taken, a less important body leaves now, and this one enters in the next send. */
    private void enter(int worldSlot, long tick) {
        if (empties == 0 && slots == worldSlots.length) {
            return;
        }
        int slot = empties > 0 ? emptySlots[--empties] : slots++;
        worldSlots[slot] = worldSlot;
        insideSlots[worldSlot] = slot + 1;
        moves[slot] = true;
        neededTick[slot] = tick;
        entered++;
    }

    private void leave(int slot) {
        insideSlots[worldSlots[slot]] = 0;
        worldSlots[slot] = -1;
        emptySlots[empties++] = slot;
    }

    private void write(WireTick world, @Nullable WireTick last) {
        WireTick next = encoder.take(world, slots);
        for (int slot = 0; slot < slots; slot++) {
            if (worldSlots[slot] < 0) {
                empty(next, last, slot);
            } else {
                next.take(world, worldSlots[slot], slot);
                movedBodies += moves[slot] ? 1 : 0;
            }
        }
    }

    /**
     * Marks a slot as empty. The other fields stay as in {@code last}, because a change costs bytes; the pose of an empty slot costs none.
     */
    private static void empty(WireTick next, @Nullable WireTick last, int slot) {
        if (last == null || slot >= last.slots) {
            next.clearSlots(slot, 1);
            return;
        }
        next.copySlots(last, slot, 1);
        next.clearPoses(slot, slot + 1);
        next.generation[slot] = BodyId.isLive(last.generation[slot]) ? 0 : last.generation[slot];
    }
}
