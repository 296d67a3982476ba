package dev.escapement.state.wire;

import dev.escapement.state.capture.Capture;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.snapshot.WritableSnapshot;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Writes a remote world's ticks into local snapshots: poses that have arrived, and predictions of missing poses.
 *
 * <ul>
 *   <li>If a missing chunk (a few adjacent slots) has arrived for a later tick, its bodies are interpolated linearly towards that tick,
 *       children in the frame of their parent. Bodies that teleport or vanish before that tick are extrapolated.
 *   <li>Otherwise its bodies are extrapolated from their last motion, children in the frame of their parent, for at most
 *       {@value #LONGEST_SECONDS} s, and then stand still.
 *   <li>When the true poses arrive after a prediction, a body's error fades in the frame of the world, within {@value #FADE_SECONDS} s.
 *       Teleports in the remote world stay teleports.
 * </ul>
 *
 * <p>One thread.
 */
final class ReceivedBodies implements Capture.Source {

    private static final double FADE_SECONDS = 0.1;
    private static final double LONGEST_SECONDS = 0.1;

    /** The squared limit of the coordinates of origins and offsets that a {@link PoseWriter} accepts. */
    static final float MAX_SQUARED = 0x1p120f;

    private static final int ON_THE_WAY = -1;
    private static final int NEVER_SHOWN = -2;

    // Indices in the block of decoded poses.
    private static final int TRUTH = 0;
    private static final int LAST = 1;
    private static final int BEFORE = 2;
    private static final int PARENT = 3;

    private final SnapshotDecoder decoder;
    private final int longestTicks;
    private final double tickSeconds;
    private final PoseBlock decoded =
            new WritableSnapshot(1, PoseLayout.PLAIN).poses().block(0);
    private final FadingPose pose;

    // The bodies of the snapshot that was written last, per slot of the stream: generation, teleports, last reshape,
    // and local slot.
    private int[] generations = {};
    private int[] teleports = {};
    private int[] reshapes = {};
    private int[] shownSlots = {};

    /** Per slot of the world: the slot of the stream that showed its body last. */
    private int[] holders = {};

    private int clampedBodies;

    /**
     * The state per chunk: 0 if its true poses were shown at the last tick; n if it has been extrapolated for n ticks; {@link #ON_THE_WAY}
     * while it is interpolated; or {@link #NEVER_SHOWN}.
     */
    private int[] unknownTicks = {};

    /** Per slot: whether this tick's pose is already written. */
    private boolean[] shown = {};

    // Bodies to predict after all others were written: their slots, and the later ticks to interpolate to or the
    // earlier ticks to extrapolate from.
    private int[] predicted = {};
    private WireTick[] goals = {};
    private int predictedCount;
    private final double[] start = new double[3];
    private final double[] end = new double[3];

    private int slots;
    private long number;
    private Snapshot target = new WritableSnapshot(0, PoseLayout.PLAIN);
    private @Nullable WireTick truth;
    private @Nullable Snapshot previous;
    private boolean empties;
    private boolean hasCentres;
    private boolean originMoved;
    private boolean isWhole;
    private boolean isTrue;

    ReceivedBodies(SnapshotDecoder decoder, double tickSeconds) {
        this.decoder = decoder;
        this.tickSeconds = tickSeconds;
        pose = new FadingPose((int) Math.ceil(FADE_SECONDS / tickSeconds));
        longestTicks = (int) Math.round(LONGEST_SECONDS / tickSeconds);
    }

    /**
     * Sets the tick to capture next.
     *
     * @param senderTick the tick's number at the sender
     * @param before     the previous local snapshot, null for the first
     * @param written    the local snapshot to write
     * @param isEmpty    whether all bodies vanish, because another world follows
     */
    void next(long senderTick, @Nullable Snapshot before, Snapshot written, boolean isEmpty) {
        number = senderTick;
        truth = decoder.kept(senderTick);
        previous = before;
        target = written;
        empties = isEmpty;
        originMoved = false;
        isWhole = truth != null || isEmpty;
        isTrue = isWhole;
    }

    /** Notes that the next tick does not follow the last one, so bodies fade from where they are shown to their new poses. */
    void skip() {
        for (int chunk = 0; chunk < unknownTicks.length; chunk++) {
            unknownTicks[chunk] = unknownTicks[chunk] == NEVER_SHOWN ? NEVER_SHOWN : longestTicks + 1;
        }
    }

    /** Returns whether all poses of the tick captured last had arrived. */
    boolean isWhole() {
        return isWhole;
    }

    /** Returns true if the tick captured last has exactly the poses that have arrived: no error of an earlier tick fades. */
    boolean isTrue() {
        return isTrue;
    }

    @Override
    public void capture(PoseWriter poses) {
        WireTick known = truth;
        clampedBodies = 0;
        if (empties) {
            setSlots(poses, 0);
            Arrays.fill(unknownTicks, NEVER_SHOWN);
            return;
        }
        if (known != null) {
            origin(poses, known);
            setSlots(poses, known.slots);
            despawnGone(poses, known);
        }
        Arrays.fill(shown, 0, slots, false);
        predictedCount = 0;
        int chunks = (slots + WireTick.CHUNK - 1) >> WireTick.CHUNK_SHIFT;
        for (int chunk = 0; chunk < chunks; chunk++) {
            int first = chunk << WireTick.CHUNK_SHIFT;
            int end = Math.min(first + WireTick.CHUNK, slots);
            if (known != null && known.knows(chunk)) {
                write(poses, known, chunk, first, end);
                unknownTicks[chunk] = 0;
            } else if (unknownTicks[chunk] != NEVER_SHOWN) {
                chooseGoals(chunk, first, end);
            } else {
                begin(poses, chunk, first, end);
            }
        }
        predict(poses);
    }

    private void origin(PoseWriter poses, WireTick known) {
        float x = (float) known.originX;
        float y = (float) known.originY;
        float z = (float) known.originZ;
        if (x * x + y * y + z * z <= MAX_SQUARED) { // an invalid origin leaves the world where it was
            poses.origin(known.originX, known.originY, known.originZ);
        }
        Snapshot before = previous;
        originMoved = before != null
                && (before.originX() != target.originX()
                        || before.originY() != target.originY()
                        || before.originZ() != target.originZ());
    }

    private void setSlots(PoseWriter poses, int count) {
        for (int slot = count; slot < slots; slot++) {
            despawn(poses, slot);
        }
        slots = count;
        if (generations.length < count) {
            int length = Math.max(count, 2 * generations.length);
            generations = Arrays.copyOf(generations, length);
            shownSlots = Arrays.copyOf(shownSlots, length);
            teleports = Arrays.copyOf(teleports, length);
            reshapes = Arrays.copyOf(reshapes, length);
            shown = Arrays.copyOf(shown, length);
            predicted = Arrays.copyOf(predicted, length);
            goals = Arrays.copyOf(goals, length);
            pose.grow(length);
            int chunks = unknownTicks.length;
            unknownTicks = Arrays.copyOf(unknownTicks, length);
            Arrays.fill(unknownTicks, chunks, length, NEVER_SHOWN);
        }
    }

    private void despawn(PoseWriter poses, int slot) {
        if (BodyId.isLive(generations[slot])) {
            poses.despawn(BodyId.of(shownSlots[slot], generations[slot]));
            generations[slot] = 0;
        }
    }

    /** Despawns bodies that have left. This comes first, because a body must not be written relative to a parent that is then despawned. */
    private void despawnGone(PoseWriter poses, WireTick known) {
        for (int slot = 0; slot < slots; slot++) {
            boolean isGone = generations[slot] != known.generation[slot] || shownSlots[slot] != known.worldSlot(slot);
            if (isGone && known.knows(slot >> WireTick.CHUNK_SHIFT)) {
                despawn(poses, slot);
            }
        }
    }

    private void spawn(PoseWriter poses, WireTick known, int slot) {
        int at = known.worldSlot(slot);
        if (holders.length <= at) {
            holders = Arrays.copyOf(holders, Math.max(at + 1, 2 * holders.length));
        }
        // The slot that had the body before, still in use if the packet that empties it is missing.
        int holder = holders[at];
        if (holder < slots && shownSlots[holder] == at) {
            despawn(poses, holder);
        }
        holders[at] = slot;
        poses.spawnAs(BodyId.of(at, known.generation[slot]), known.userData(slot));
        shownSlots[slot] = at;
        generations[slot] = known.generation[slot];
        teleports[slot] = known.teleports(slot);
        reshapes[slot] = known.reshapes[slot];
        pose.forgetError(slot);
    }

    int clampedBodies() {
        return clampedBodies;
    }

    private void write(PoseWriter poses, WireTick known, int chunk, int first, int end) {
        WireTick kept = unknownTicks[chunk] == 0 ? decoder.kept(number - 1) : null;
        WireTick before = kept != null && kept.knows(chunk) ? kept : null;
        for (int slot = first; slot < end; slot++) {
            int generation = known.generation[slot];
            boolean isNew = generations[slot] != generation || shownSlots[slot] != known.worldSlot(slot);
            if (isNew) {
                despawn(poses, slot);
            }
            if (!BodyId.isLive(generation)) {
                continue;
            }
            if (isNew) {
                spawn(poses, known, slot);
            }
            clampedBodies += decoder.code().isClamped(known.poses, slot << WireTick.POSE_SHIFT) ? 1 : 0;
            boolean jumps = teleports[slot] != known.teleports(slot);
            if (jumps) {
                teleports[slot] = known.teleports(slot);
                pose.forgetError(slot);
                poses.teleport(shownSlots[slot]);
            }
            if (reshapes[slot] != known.reshapes[slot]) {
                reshapes[slot] = known.reshapes[slot];
                poses.reshape(shownSlots[slot]);
            }
            boolean rests = !isNew
                    && !pose.isFading(slot)
                    && before != null
                    && slot < before.slots
                    && known.poseDiffers(slot, before, slot) == 0
                    && !known.spins(slot)
                    && !originMoved;
            if (!rests) {
                decode(known, slot, TRUTH);
                int age = unknownTicks[chunk];
                if (!isNew && !jumps && age > 0) {
                    // Extrapolate sets the predicted pose.
                    if (age > longestTicks || !extrapolate(slot, chunk, age + 1)) {
                        previousPose(slot);
                    }
                    pose.beginFade(slot, decoded, TRUTH, decoder.info().format());
                }
                pose.set(decoded, TRUTH);
                isTrue &= !pose.addError(slot);
                show(poses, known, slot);
            }
            ride(poses, known, slot);
            hasCentres |= known.isOffCentre(slot);
            if (hasCentres) {
                known.writeCentre(slot, poses, shownSlots[slot]);
            }
            for (int channel = 0; channel < known.channelCount; channel++) {
                if (before == null
                        || slot >= before.slots
                        || known.channel(slot, channel) != before.channel(slot, channel)) {
                    poses.channel(shownSlots[slot], channel, Float.intBitsToFloat(known.channel(slot, channel)));
                }
            }
        }
    }

    /** Shows bodies for the first time, with their poses at the nearest known tick. */
    private void begin(PoseWriter poses, int chunk, int first, int end) {
        WireTick near = decoder.near(number, chunk);
        isWhole = false;
        isTrue = false;
        if (near != null) {
            write(poses, near, chunk, first, Math.min(end, near.slots));
            // Above 0, so that the body fades to its true pose.
            unknownTicks[chunk] = (int) Math.max(1, number - near.tick);
        }
    }

    private void chooseGoals(int chunk, int first, int end) {
        // A body that was extrapolated before is not interpolated, because that would remove up to half of a large
        // error at once, a visible jump. Its error fades when the true pose comes.
        WireTick later = unknownTicks[chunk] <= 0 ? decoder.later(number, chunk) : null;
        WireTick known = unknownTicks[chunk] < 0 ? decoder.near(number - 1, chunk) : null;
        int age = known == null ? Math.max(0, unknownTicks[chunk]) + 1 : (int) (number - known.tick);
        boolean extrapolates = age > 0 && age <= longestTicks;
        isWhole = false;
        isTrue = false;
        for (int slot = first; slot < end; slot++) {
            if (!BodyId.isLive(generations[slot])) {
                continue;
            }
            // A body that teleports or vanishes before the later tick cannot be interpolated. Neither such a body nor
            // an extrapolated one has an error to fade.
            WireTick goal = later != null && isSameBody(later, slot) ? later : null;
            if (goal == null) {
                pose.forgetError(slot); // extrapolation continues from the shown pose, which contains the error
                goal = extrapolates ? decoder.kept(number - age) : null;
            }
            if (goal != null) {
                predicted[predictedCount] = slot;
                goals[predictedCount++] = goal;
            }
        }
        unknownTicks[chunk] = later != null ? ON_THE_WAY : age;
    }

    /** Writes the pose, with the spin at tick {@code near}. */
    private void show(PoseWriter poses, @Nullable WireTick near, int slot) {
        int at = shownSlots[slot];
        pose.write(poses, at);
        shown[slot] = true;
        if (near != null && near.spins(slot)) {
            double perSecond = 1 / tickSeconds;
            poses.angularVelocity(
                    at, (float) (near.spin(slot, 0) * perSecond), (float) (near.spin(slot, 1) * perSecond), (float)
                            (near.spin(slot, 2) * perSecond));
        }
    }

    /**
     * Sets the parent of a body, if the parent is shown. A parent outside the interest is never shown. A parent that appears in this tick
     * in a later slot becomes the parent in the next tick.
     */
    private void ride(PoseWriter poses, WireTick known, int slot) {
        int at = shownSlots[slot];
        int parent = known.parent(slot);
        Snapshot before = previous;
        boolean rode = before != null
                && at < before.poses().slotCount()
                && before.bodyBlock(at >>> PoseBlock.SHIFT).parent(at & PoseBlock.MASK) != 0;
        if (parent == WireTick.NO_PARENT && !rode) {
            return;
        }
        int holder = holder(parent);
        try {
            poses.relativeTo(at, holder >= 0 ? BodyId.of(parent, generations[holder]) : 0);
        } catch (IllegalArgumentException circle) { // a circle of parents: mixed ticks, or a hostile sender
            poses.relativeTo(at, 0);
        }
    }

    /** Returns the slot of the stream that shows the body of a slot in the world; -1 if none does. */
    private int holder(int worldSlot) {
        int holder = worldSlot >= 0 && worldSlot < holders.length ? holders[worldSlot] : slots;
        boolean isShown = holder < slots && shownSlots[holder] == worldSlot && BodyId.isLive(generations[holder]);
        return isShown ? holder : -1;
    }

    /**
     * Returns the slot of a body's parent in a later tick. Returns -1 if the body has no parent, or must be interpolated in the frame of
     * the world because an error fades or the origin moves.
     */
    private int parentOnTheWay(WireTick later, int slot) {
        int parent = knownParent(later, slot);
        boolean moves = parent < 0 || pose.isFading(slot) || pose.isFading(parent);
        return moves || originMoved ? -1 : parent;
    }

    /**
     * Returns the slot of a body's parent in a tick. Returns -1 if the parent is not known in that tick, or if the body or its parent was
     * not shown in the previous snapshot.
     */
    private int knownParent(WireTick tick, int slot) {
        Snapshot before = previous;
        int parent = slot < tick.slots ? holder(tick.parent(slot)) : -1;
        boolean isKnown = parent >= 0
                && before != null
                && before.bodies().exists(BodyId.of(shownSlots[slot], generations[slot]))
                && before.bodies().exists(BodyId.of(shownSlots[parent], generations[parent]))
                && tick.knows(parent >> WireTick.CHUNK_SHIFT)
                && isSameBody(tick, parent);
        return isKnown ? parent : -1;
    }

    /**
     * Predicts the remaining bodies, children after their parents. Bodies without a known parent, and bodies whose parents form a circle,
     * are predicted in the frame of the world.
     */
    private void predict(PoseWriter poses) {
        boolean goesOn = true;
        while (predictedCount > 0) {
            int waiting = 0;
            for (int p = 0; p < predictedCount; p++) {
                int slot = predicted[p];
                WireTick goal = goals[p];
                int age = (int) (number - goal.tick);
                int known = age > 0 ? knownParent(goal, slot) : parentOnTheWay(goal, slot);
                int parent = goesOn ? known : -1;
                if (parent >= 0 && !shown[parent]) {
                    predicted[waiting] = slot;
                    goals[waiting++] = goal;
                } else if (isSameBody(goal, slot) && age < 0) { // false if the body was removed in this tick
                    interpolate(poses, goal, slot, parent);
                } else if (age > 0 && extrapolate(slot, slot >> WireTick.CHUNK_SHIFT, age)) {
                    show(poses, goal, slot);
                }
            }
            goesOn = waiting < predictedCount;
            predictedCount = waiting;
        }
    }

    private void interpolate(PoseWriter poses, WireTick later, int slot, int parent) {
        if (parent >= 0) {
            decode(later, parent, PARENT);
        }
        // Interpolates linearly from the pose in the previous snapshot.
        decode(later, slot, LAST);
        pose.turnBy(later, slot, number - later.tick);
        pose.get(decoded, LAST);
        previousPose(slot);
        pose.removeError(slot);
        pose.turnBy(later, slot, 1);
        pose.towards(decoded, LAST, 1f / (later.tick - number + 1));
        pose.addError(slot);
        if (parent >= 0) {
            placeOnParent(slot, parent, 1.0 / (later.tick - number + 1));
        }
        show(poses, later, slot);
    }

    /** Interpolates the position towards the later tick in the frame of the parent, by the fraction {@code part} of the distance. */
    private void placeOnParent(int slot, int parent, double part) {
        findRelativeBefore(slot, parent);
        findRelative(decoded, LAST, decoded, PARENT, end);
        for (int axis = 0; axis < start.length; axis++) {
            start[axis] += part * (end[axis] - start[axis]);
        }
        carryStart(parent);
        pose.place(start);
    }

    /**
     * Sets {@code start} to a body's position, extrapolated by one tick in the frame of its parent with its mean motion between two ticks.
     * The parent's pose must be written before.
     */
    private void findAhead(WireTick before, WireTick last, int slot, int parent) {
        findRelativeBefore(slot, parent);
        for (int sign = -1; sign <= 1; sign += 2) {
            decode(sign < 0 ? before : last, parent, PARENT);
            decode(sign < 0 ? before : last, slot, LAST);
            findRelative(decoded, LAST, decoded, PARENT, end);
            for (int axis = 0; axis < start.length; axis++) {
                start[axis] += sign * end[axis] / (last.tick - before.tick);
            }
        }
        carryStart(parent);
    }

    private void findRelativeBefore(int slot, int parent) {
        Snapshot before = Objects.requireNonNull(previous);
        int at = shownSlots[slot];
        int above = shownSlots[parent];
        findRelative(
                before.poses().blockOf(at),
                at & PoseBlock.MASK,
                before.poses().blockOf(above),
                above & PoseBlock.MASK,
                start);
    }

    /** Converts {@code start} from the frame of the parent to the world, with the pose of the parent in this tick. */
    private void carryStart(int parent) {
        int above = shownSlots[parent];
        PoseBlock now = target.poses().blockOf(above);
        now.rotate(above & PoseBlock.MASK, 1, start);
        start[0] += now.px[above & PoseBlock.MASK];
        start[1] += now.py[above & PoseBlock.MASK];
        start[2] += now.pz[above & PoseBlock.MASK];
    }

    private static void findRelative(PoseBlock block, int i, PoseBlock parents, int parent, double[] place) {
        place[0] = block.px[i] - parents.px[parent];
        place[1] = block.py[i] - parents.py[parent];
        place[2] = block.pz[i] - parents.pz[parent];
        parents.rotate(parent, -1, place);
    }

    private boolean isSameBody(WireTick other, int slot) {
        return slot < other.slots
                && other.generation[slot] == generations[slot]
                && other.worldSlot(slot) == shownSlots[slot]
                && other.teleports(slot) == teleports[slot];
    }

    /**
     * Extrapolates a body by one tick with its last known motion.
     *
     * @param age how many ticks ago the chunk was known last
     * @return false if the body did not move
     */
    private boolean extrapolate(int slot, int chunk, int age) {
        WireTick last = decoder.kept(number - age);
        WireTick before = decoder.near(number - age - 1, chunk); // the tick before {@code last} may be lost, too
        if (last == null
                || before == null
                || before.tick >= last.tick
                || !last.knows(chunk)
                || !isSameBody(last, slot)
                || !isSameBody(before, slot)
                || (last.poseDiffers(slot, before, slot) == 0 && !last.spins(slot))) {
            return false;
        }
        int parent = knownParent(last, slot);
        boolean isCarried = parent >= 0 && shown[parent] && knownParent(before, slot) == parent;
        if (isCarried) {
            findAhead(before, last, slot, parent);
        }
        decode(last, slot, LAST);
        decode(before, slot, BEFORE);
        if (last.tick - before.tick > 1) {
            pose.set(decoded, LAST);
            pose.towards(decoded, BEFORE, 1f / (last.tick - before.tick));
            pose.get(decoded, BEFORE);
        }
        previousPose(slot);
        pose.advance(decoded, BEFORE, LAST, !last.spins(slot));
        pose.turnBy(last, slot, 1);
        if (isCarried) {
            pose.place(start);
        }
        return true;
    }

    private void previousPose(int slot) {
        Snapshot before = previous;
        int at = shownSlots[slot];
        if (before == null || at >= before.poses().slotCount()) {
            pose.set(0, 0, 0, 0, 0, 0, 1);
        } else {
            pose.set(before.poses().blockOf(at), at & PoseBlock.MASK);
            pose.move(
                    (float) (before.originX() - target.originX()),
                    (float) (before.originY() - target.originY()),
                    (float) (before.originZ() - target.originZ()));
        }
    }

    private void decode(WireTick from, int slot, int index) {
        decoder.code().decode(from.poses, slot << WireTick.POSE_SHIFT, decoded, index);
        // Converts the pose to the origin of the tick that is written.
        decoded.px[index] += (float) (from.originX - target.originX());
        decoded.py[index] += (float) (from.originY - target.originY());
        decoded.pz[index] += (float) (from.originZ - target.originZ());
        pose.set(decoded, index);
        pose.repairRotation();
        pose.get(decoded, index);
    }
}
