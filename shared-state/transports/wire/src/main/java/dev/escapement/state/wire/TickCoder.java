package dev.escapement.state.wire;

import dev.escapement.state.snapshot.BodyId;
import java.util.Arrays;

/**
 * Codes a tick as differences from an earlier tick, the base, and from predictions.
 *
 * <p>The predictions use the base and a tick before it. The same methods encode and decode: see {@link BitCoder}.
 *
 * <p>One thread.
 */
final class TickCoder {

    private static final int MIN_CHANGES = 64;
    private static final int CHANGES_PER_BYTE = 8;

    // The index of the first context of each kind of value.
    private static final int HEADER = 0;
    private static final int SCALE = HEADER + 9 * BitCoder.CONTEXTS_PER_NUMBER;
    private static final int SAME = SCALE + 1;
    private static final int BODIES = SAME + 3;
    private static final int BODY = BODIES + 1;
    private static final int BODY_NUMBERS = BODY + 1;
    private static final int MOVED = BODY_NUMBERS + 6 * BitCoder.CONTEXTS_PER_NUMBER;
    private static final int CHANNELS = MOVED + PoseCode.MAX_SPEED + 1;
    private static final int CHANNEL_NUMBER = CHANNELS + 4;
    private static final int POSE = CHANNEL_NUMBER + BitCoder.CONTEXTS_PER_NUMBER;

    static final int CONTEXTS = POSE + PoseCode.CONTEXTS + BitCoder.CONTEXTS_PER_NUMBER;

    private static final int WORLD_SLOT = CONTEXTS - BitCoder.CONTEXTS_PER_NUMBER;

    private final PoseCode code;

    private WireTick tick;
    private WireTick base;
    private WireTick before;
    private int ahead;
    private double ratio;

    // How the chunk to write differs from the base.
    private boolean isSame;
    private boolean areSameBodies;

    // The offsets in metres of positions of the base and of the tick before it, because the origin moved.
    private final double[] baseShift = new double[3];

    private final double[] beforeShift = new double[3];

    private boolean originMoved;

    private int movedSlots;

    private int changedChunks;

    /** The exclusive bound of slots in the world; 0 if a slot here equals its slot in the world. */
    private final int maxWorldSlots;

    private boolean hasWrongSlot;

    private final boolean reads;

    TickCoder(PoseCode code, boolean reads, int maxWorldSlots) {
        this.code = code;
        this.reads = reads;
        this.maxWorldSlots = maxWorldSlots;
        WireTick none = new WireTick(0);
        tick = none;
        base = none;
        before = none;
    }

    /**
     * Begins to code chunks of a tick.
     *
     * @param number the tick's number
     * @param coded  the tick; a decoder fills it
     * @param from   the base; a tick without slots if there is none
     * @param second a tick before the base, or the base
     */
    void begin(long number, WireTick coded, WireTick from, WireTick second) {
        tick = coded;
        base = from;
        before = second;
        ahead = from.slots == 0 ? 0 : (int) (number - from.tick);
        ratio = second == from ? 0 : (double) ahead / (from.tick - second.tick);
        changedChunks = 0;
        hasWrongSlot = false;
        code.begin(ratio);
    }

    /** Returns whether a packet contained a body in a slot that the world cannot have. */
    boolean hasWrongSlot() {
        return hasWrongSlot;
    }

    /** Returns how many chunks of the packet differ from the base. All other chunks are copies, which take little work. */
    int changedChunks() {
        return changedChunks;
    }

    /**
     * Returns whether a packet of this many bytes may contain one more chunk that differs from the base. Without this limit, a packet of
     * few bytes could contain so many chunks that it takes long to read. A writer puts further chunks into another packet.
     */
    boolean mayChange(int bytes) {
        return changedChunks < MIN_CHANGES + CHANGES_PER_BYTE * bytes;
    }

    int slots(BitCoder coder, int slots) {
        return base.slots + coder.number(HEADER, slots - base.slots);
    }

    /** Codes the tick's due time, inputs taken, origin and speed of time. */
    void header(BitCoder coder) {
        int number = HEADER + BitCoder.CONTEXTS_PER_NUMBER;
        long dueNanos = base.dueNanos + Math.round((base.dueNanos - before.dueNanos) * ratio);
        tick.dueNanos = dueNanos + coder.wide(number, tick.dueNanos - dueNanos);
        number += 2 * BitCoder.CONTEXTS_PER_NUMBER;
        tick.inputsTaken = base.inputsTaken + coder.wide(number, tick.inputsTaken - base.inputsTaken);
        number += 2 * BitCoder.CONTEXTS_PER_NUMBER;
        tick.originX = origin(coder, number, tick.originX, base.originX);
        tick.originY = origin(coder, number, tick.originY, base.originY);
        tick.originZ = origin(coder, number, tick.originZ, base.originZ);
        shift(base, baseShift);
        shift(before, beforeShift);
        originMoved = baseShift[0] != 0 || baseShift[1] != 0 || baseShift[2] != 0;
        code.shift(baseShift, beforeShift);
        number += 2 * BitCoder.CONTEXTS_PER_NUMBER;
        if (coder.bit(SCALE, tick.hasSameScale(base) ? 0 : 1) == 0) {
            tick.scaleNumerator = base.scaleNumerator;
            tick.scaleDenominator = base.scaleDenominator;
        } else {
            tick.scaleNumerator = coder.wide(number, tick.scaleNumerator);
            tick.scaleDenominator = coder.wide(number, tick.scaleDenominator);
        }
    }

    /** Sets what to add to another tick's positions because the origin moved, in metres; 0 for a tick without slots. */
    private void shift(WireTick other, double[] shift) {
        boolean hasPoses = other.slots > 0;
        shift[0] = hasPoses ? other.originX - tick.originX : 0;
        shift[1] = hasPoses ? other.originY - tick.originY : 0;
        shift[2] = hasPoses ? other.originZ - tick.originZ : 0;
    }

    private static double origin(BitCoder coder, int first, double value, double known) {
        long bits = Double.doubleToRawLongBits(known);
        return Double.longBitsToDouble(bits ^ coder.wide(first, bits ^ Double.doubleToRawLongBits(value)));
    }

    void chunk(BitCoder coder, int chunk) {
        boolean hasBase = base.knows(chunk);
        int context = SAME + (hasBase ? (movedToBase(chunk) ? 1 : 0) : 2);
        if (!reads) {
            compare(chunk, hasBase);
        }
        if (coder.bit(context, isSame ? 0 : 1) != 0) {
            changed(coder, chunk, hasBase);
        } else if (reads && hasBase) {
            int first = chunk << WireTick.CHUNK_SHIFT;
            tick.copySlots(base, first, Math.min(first + WireTick.CHUNK, tick.slots) - first);
            tick.know(chunk);
        }
    }

    /** Finds the differences from the base in a chunk that is written. */
    private void compare(int chunk, boolean hasBase) {
        int first = chunk << WireTick.CHUNK_SHIFT;
        int end = Math.min(first + WireTick.CHUNK, tick.slots);
        boolean inBase = hasBase && end <= base.slots;
        movedSlots = originMoved ? -1 : 0; // a moved origin changes the positions of all bodies
        areSameBodies = inBase && (tick.hasVersionOf(base, chunk) || haveSameBodies(first, end));
        boolean same = areSameBodies;
        for (int slot = first; slot < end && slot < base.slots; slot++) {
            movedSlots |= tick.poseDiffers(slot, base, slot) << (slot - first);
            same &= hasSameChannels(slot);
        }
        isSame = same && movedSlots == 0;
    }

    private boolean haveSameBodies(int first, int end) {
        int slot = first;
        while (slot < end && tick.hasSameBody(base, slot)) {
            slot++;
        }
        return slot == end;
    }

    private boolean hasSameChannels(int slot) {
        int at = slot * tick.channelCount;
        int end = at + tick.channelCount;
        return Arrays.equals(tick.channels, at, end, base.channels, at, end);
    }

    private boolean movedToBase(int chunk) {
        int first = chunk << (WireTick.CHUNK_SHIFT + WireTick.POSE_SHIFT);
        int max = Math.min(base.slots, before.slots) << WireTick.POSE_SHIFT;
        int end = Math.min(first + (WireTick.CHUNK << WireTick.POSE_SHIFT), max);
        return before != base
                && before.knows(chunk)
                && first < end
                && !Arrays.equals(base.poses, first, end, before.poses, first, end);
    }

    private void changed(BitCoder coder, int chunk, boolean hasBase) {
        int first = chunk << WireTick.CHUNK_SHIFT;
        int end = Math.min(first + WireTick.CHUNK, tick.slots);
        changedChunks++;
        boolean knowsBefore = before != base && before.knows(chunk);
        boolean bodiesChanged = true;
        if (hasBase) {
            bodiesChanged = coder.bit(BODIES, areSameBodies ? 0 : 1) != 0;
        }
        for (int slot = first; slot < end; slot++) {
            boolean inBase = hasBase && slot < base.slots;
            if (bodiesChanged) {
                body(coder, slot, inBase);
            } else if (reads) {
                tick.copyBodies(base, slot, slot, 1);
            }
            if (BodyId.isLive(tick.generation[slot])) {
                boolean isNew = !inBase
                        || tick.generation[slot] != base.generation[slot]
                        || tick.worldSlot(slot) != base.worldSlot(slot);
                boolean moved = pose(coder, slot, isNew, knowsBefore);
                channels(coder, slot, isNew, moved);
            } else if (reads) {
                // Clears it as the encoder does, because all slots are searched for motion.
                tick.clearPoses(slot, slot + 1);
            }
        }
        tick.know(chunk);
    }

    private void body(BitCoder coder, int slot, boolean inBase) {
        if (inBase && coder.bit(BODY, tick.hasSameBody(base, slot) ? 0 : 1) == 0) {
            tick.copyBodies(base, slot, slot, 1);
            return;
        }
        int number = BODY_NUMBERS;
        int generation = inBase ? base.generation[slot] : 0;
        tick.generation[slot] = generation + coder.number(number, tick.generation[slot] - generation);
        number += BitCoder.CONTEXTS_PER_NUMBER;
        boolean isFirst = slot % WireTick.CHUNK == 0; // a decoder may not have the chunk of the slot before
        long likelyData = inBase ? base.userData(slot) : isFirst ? 0 : tick.userData(slot - 1);
        long userData = likelyData + coder.wide(number, tick.userData(slot) - likelyData);
        number += 2 * BitCoder.CONTEXTS_PER_NUMBER;
        int teleports = coder.number(number, tick.teleports(slot));
        int likelyReshape = inBase ? base.reshapes[slot] : 0;
        tick.reshapes[slot] = likelyReshape + coder.number(number, tick.reshapes[slot] - likelyReshape);
        for (int k = 0; k < WireTick.BLENDING; k++) {
            int likely = inBase ? base.blending(slot, k) : 0;
            number += k < 2 ? BitCoder.CONTEXTS_PER_NUMBER : 0; // one set of contexts for the parent, one for the spin
            tick.setBlending(slot, k, likely + coder.number(number, tick.blending(slot, k) - likely));
        }
        for (int k = 0; tick.isOffCentre(slot) && k < WireTick.CENTRE; k++) {
            int likely = inBase ? base.centre(slot, k) : 0;
            tick.setCentre(slot, k, likely ^ floatBits(coder, tick.centre(slot, k) ^ likely));
        }
        int worldSlot = slot;
        if (maxWorldSlots > 0) {
            int likely = inBase ? base.worldSlot(slot) : isFirst ? 0 : tick.worldSlot(slot - 1);
            worldSlot = likely + coder.number(WORLD_SLOT, tick.worldSlot(slot) - likely);
            boolean isWrong = worldSlot < 0 || worldSlot >= maxWorldSlots;
            hasWrongSlot |= isWrong;
            worldSlot = isWrong ? 0 : worldSlot;
        }
        tick.setBody(slot, userData, teleports, worldSlot);
    }

    /** Codes a pose. Returns true if it differs from the pose in the base. */
    private boolean pose(BitCoder coder, int slot, boolean isNew, boolean knowsBefore) {
        int at = slot << WireTick.POSE_SHIFT;
        if (isNew) {
            code.predictNew();
            code.codeRest(coder, POSE, tick.poses, at);
            return true;
        }
        boolean hasBefore = knowsBefore
                && slot < before.slots
                && before.generation[slot] == base.generation[slot]
                && before.worldSlot(slot) == base.worldSlot(slot)
                && before.teleports(slot) == base.teleports(slot);
        code.predict(base.poses, hasBefore ? before.poses : base.poses, at);
        int moved = coder.bit(MOVED + code.speed, movedSlots >>> (slot & (WireTick.CHUNK - 1)) & 1);
        if (moved != 0) {
            code.codeRest(coder, POSE, tick.poses, at);
        } else if (reads) {
            System.arraycopy(base.poses, at, tick.poses, at, PoseCode.NUMBERS);
        }
        return moved != 0;
    }

    /** Codes the bits in which two floats differ, in reverse: most floats end with zeros (1.0f with 23), so the number is small. */
    private static int floatBits(BitCoder coder, int different) {
        return Integer.reverse(coder.number(CHANNEL_NUMBER, Integer.reverse(different)));
    }

    private void channels(BitCoder coder, int slot, boolean isNew, boolean moved) {
        for (int channel = 0; channel < tick.channelCount; channel++) {
            int known = isNew ? 0 : base.channel(slot, channel);
            int different = tick.channel(slot, channel) ^ known;
            if (coder.bit(CHANNELS + (moved ? 1 : 0) + (known == 0 ? 2 : 0), different == 0 ? 0 : 1) != 0) {
                different = floatBits(coder, different);
            } else {
                different = 0;
            }
            tick.channels[slot * tick.channelCount + channel] = known ^ different;
        }
    }
}
