package dev.escapement.physics.contact;

import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.state.event.EventWriter;
import java.util.Arrays;
import java.util.BitSet;

/**
 * Turns "these touch in this step" into contacts that begin and end, one for each pair of bodies however many points, shapes or
 * manifolds they touch with.
 *
 * <pre>{@code
 * if (!pairs.see(ball, wall)) {                             // within the step, for every pair that touches
 *     pairs.begin(ball, wall, x, y, z, nx, ny, nz);
 * }
 * pairs.report(asleep, events);                             // once after the step, in Simulation.events
 * }</pre>
 *
 * <p><b>Sleep.</b> Engines do not report pairs of which both bodies sleep: such a contact continues.
 *
 * <p><b>Not watched.</b> While no contacts are wanted, call {@link #forget} instead. For a pair that touches when watching begins again,
 * only its end is reported, because it may have begun to touch before.
 *
 * <p>One thread. Allocates only when more pairs touch than ever before.
 */
public final class ContactPairs {

    /** Says how fast two bodies approached before the engine stopped them, for those that begin to touch. */
    @FunctionalInterface
    public interface ClosingSpeeds {

        /** None is known. */
        ClosingSpeeds UNKNOWN = (slot, other, x, y, z, nx, ny, nz) -> Double.NaN;

        /** Stands for the slot of attached body 0 while it has none; one less for that of body 1, and so on. */
        int FIRST_WITHOUT_SLOT = -2;

        /**
         * {@return metres a second along the normal; NaN if it is not known} The arguments are those of {@link ContactPairs#begin}.
         *
         * @param slot  the slot of a body, or {@link EventWriter#NO_BODY}
         * @param other the slot of another, or {@link EventWriter#NO_BODY}
         * @param x     x of the contact, metres
         * @param y     y of the contact, metres
         * @param z     z of the contact, metres
         * @param nx    the unit normal from the first to the other, x
         * @param ny    the unit normal from the first to the other, y
         * @param nz    the unit normal from the first to the other, z
         */
        double of(int slot, int other, double x, double y, double z, double nx, double ny, double nz);
    }

    private static final int CLOSING_SPEED = 6;
    private static final int IMPULSE = 7;
    private static final int NUMBERS = 8;

    private final ClosingSpeeds speeds;
    private final PairTable touching = new PairTable();

    /** Bodies of which no step was watched since watching began, except asleep: two of them may have touched before. */
    private final BitSet strangers = new BitSet();

    private long step = 1; // a restored pair was seen in the step before
    private boolean watched = true;

    // The pairs that began in this step, in the order of their numbers, and where and how.
    private long[] begun = new long[16];
    private double[] geometry = new double[16 * NUMBERS];
    private int begunCount;
    private boolean lastReported;

    // What points are measured from when they are reported.
    private double originX;
    private double originY;
    private double originZ;

    /** Creates the pairs of a world in which nothing touches yet, and whose closing speeds are not known. */
    public ContactPairs() {
        this(ClosingSpeeds.UNKNOWN);
    }

    /**
     * Creates the pairs of a world in which nothing touches yet.
     *
     * @param speeds asked in each call of {@link #begin(int, int, double, double, double, double, double, double)}
     */
    public ContactPairs(ClosingSpeeds speeds) {
        this.speeds = speeds;
    }

    /**
     * Reports that two bodies touch in this step.
     *
     * @param slot  the slot of a body, or {@link EventWriter#NO_BODY}
     * @param other the slot of another, or {@link EventWriter#NO_BODY}
     * @return true if the contact is known already, or neither side is a shown body; if false, call {@link #begin}
     */
    public boolean see(int slot, int other) {
        return (slot == EventWriter.NO_BODY && other == EventWriter.NO_BODY) || touching.see(pair(slot, other), step);
    }

    /**
     * Reports that two bodies began to touch in this step, and where.
     *
     * @param slot  the slot of a body, or {@link EventWriter#NO_BODY}
     * @param other the slot of another, or {@link EventWriter#NO_BODY}
     * @param x     x of the contact, metres in the world; from the snapshot's origin, if {@link #origin} is not called
     * @param y     y of the contact, likewise
     * @param z     z of the contact, likewise
     * @param nx    the unit normal from the first to the other, x
     * @param ny    the unit normal from the first to the other, y
     * @param nz    the unit normal from the first to the other, z
     * @throws IllegalStateException if they are known to touch
     */
    public void begin(int slot, int other, double x, double y, double z, double nx, double ny, double nz) {
        long pair = pair(slot, other);
        if (touching.see(pair, step)) {
            throw new IllegalStateException("bodies " + slot + " and " + other + " touch already; ask see() first");
        }
        lastReported = !(isStranger(slot) && isStranger(other));
        if (!lastReported) {
            touching.add(pair, step);
            return;
        }
        touching.add(pair, PairTable.begun(begunCount));
        if (begunCount == begun.length) {
            begun = Arrays.copyOf(begun, 2 * begunCount);
            geometry = Arrays.copyOf(geometry, 2 * begunCount * NUMBERS);
        }
        boolean flipped = first(pair) != slot;
        begun[begunCount] = pair;
        int at = begunCount * NUMBERS;
        geometry[at] = x;
        geometry[at + 1] = y;
        geometry[at + 2] = z;
        geometry[at + 3] = flipped ? 0 - nx : nx;
        geometry[at + 4] = flipped ? 0 - ny : ny;
        geometry[at + 5] = flipped ? 0 - nz : nz;
        geometry[at + CLOSING_SPEED] = speeds.of(slot, other, x, y, z, nx, ny, nz);
        geometry[at + IMPULSE] = Double.NaN;
        begunCount++;
    }

    /**
     * Says how fast the bodies of the last {@link #begin} approached, where {@link ClosingSpeeds} does not know it any more.
     *
     * @param closingSpeed metres a second along the normal; NaN if it is not known
     */
    public void closingSpeed(double closingSpeed) {
        if (lastReported) {
            geometry[(begunCount - 1) * NUMBERS + CLOSING_SPEED] = closingSpeed;
        }
    }

    /**
     * Adds what the engine applied at one point of a pair that began in this step; does nothing for others. A pair without this call has no
     * known impulse.
     *
     * @param slot    the slot of a body, or {@link EventWriter#NO_BODY}
     * @param other   the slot of another, or {@link EventWriter#NO_BODY}
     * @param impulse along the normal, newton seconds; NaN, if it is not known, adds nothing
     */
    public void impulse(int slot, int other, double impulse) {
        int number = touching.numberOf(pair(slot, other));
        if (number >= 0 && !Double.isNaN(impulse)) {
            int at = number * NUMBERS + IMPULSE;
            geometry[at] = Double.isNaN(geometry[at]) ? impulse : geometry[at] + impulse;
        }
    }

    /**
     * {@return whether a contact that is reported began in this step, so that its impulse is wanted}
     *
     * @param slot  the slot of a body, or {@link EventWriter#NO_BODY}
     * @param other the slot of another, or {@link EventWriter#NO_BODY}
     */
    public boolean began(int slot, int other) {
        return touching.numberOf(pair(slot, other)) >= 0;
    }

    /**
     * Sets the origin of the snapshots whose contacts are reported from now on. At first it is the world's zero.
     *
     * @param x metres in the world
     * @param y metres in the world
     * @param z metres in the world
     */
    public void origin(double x, double y, double z) {
        originX = x;
        originY = y;
        originZ = z;
    }

    /**
     * Ends a step: reports the contacts that began in it, and ends those that were not seen in it.
     *
     * @param asleep the bodies that slept when the step began, so that the engine may not have reported their contacts
     * @param events takes the contacts
     */
    public void report(BitSet asleep, EventWriter events) {
        for (int i = 0; i < begunCount; i++) {
            int at = i * NUMBERS;
            events.contactBegan(
                    first(begun[i]),
                    second(begun[i]),
                    (float) (geometry[at] - originX),
                    (float) (geometry[at + 1] - originY),
                    (float) (geometry[at + 2] - originZ),
                    (float) geometry[at + 3],
                    (float) geometry[at + 4],
                    (float) geometry[at + 5]);
            events.strength((float) geometry[at + IMPULSE], (float) geometry[at + CLOSING_SPEED]);
            touching.age(begun[i], step);
        }
        begunCount = 0;
        lastReported = false;
        for (int place = 0; place < touching.places(); place++) {
            while (hasEnded(place, asleep)) { // again: removing may move another pair there
                long pair = touching.pairAt(place);
                touching.removeAt(place);
                events.contactEnded(first(pair), second(pair));
            }
        }
        strangers.and(asleep);
        watched = true;
        step++;
    }

    /**
     * Notes that bodies were spawned in this step: they have touched nothing before, whether or not contacts were watched.
     *
     * @param came their slots
     */
    public void newcomers(BitSet came) {
        strangers.andNot(came);
    }

    /**
     * Ends the contacts of bodies that are gone. Call it before reporting contacts of other bodies in the same slots.
     *
     * @param gone   their slots
     * @param events takes the contacts
     */
    public void endOf(BitSet gone, EventWriter events) {
        for (int place = 0; !gone.isEmpty() && place < touching.places(); place++) {
            while (touchesAnyOf(place, gone)) { // again: removing may move another pair there
                long pair = touching.pairAt(place);
                touching.removeAt(place);
                events.contactEnded(first(pair), second(pair));
            }
        }
        strangers.andNot(gone);
    }

    private boolean touchesAnyOf(int place, BitSet gone) {
        long pair = touching.pairAt(place);
        return pair >= 0 && (gone.get(first(pair)) || (second(pair) != EventWriter.NO_BODY && gone.get(second(pair))));
    }

    /**
     * Skips a step whose contacts are not wanted.
     *
     * @param bodies slots 0 to {@code bodies - 1} may hold a body
     */
    public void forget(int bodies) {
        if (watched || begunCount > 0) {
            touching.clear();
            begunCount = 0;
            watched = false;
        }
        strangers.set(0, bodies);
    }

    /**
     * Saves what touches, after {@link #report} or {@link #forget}.
     *
     * @param to takes it
     */
    public void save(StateBuffer to) {
        to.put(watched ? 1L : 0).put((long) strangers.length());
        for (int slot = 0; slot < strangers.length(); slot += Long.SIZE) {
            to.put(bits(slot));
        }
        to.put((long) touching.count());
        for (int place = 0; place < touching.places(); place++) {
            if (touching.pairAt(place) >= 0) {
                to.put(touching.pairAt(place));
            }
        }
    }

    /** 64 of the strangers, without an allocation. */
    private long bits(int from) {
        long bits = 0;
        for (int slot = strangers.nextSetBit(from); slot >= 0 && slot < from + Long.SIZE; ) {
            bits |= 1L << slot;
            slot = strangers.nextSetBit(slot + 1);
        }
        return bits;
    }

    /**
     * Goes on from what touched when it was saved: of contacts that began or ended since, nothing more is reported.
     *
     * @param from the saved state
     */
    public void restore(StateBuffer from) {
        touching.clear();
        strangers.clear();
        begunCount = 0;
        lastReported = false;
        watched = from.getLong() != 0;
        long slots = from.getLong();
        for (int slot = 0; slot < slots; slot += Long.SIZE) {
            long bits = from.getLong();
            for (long left = bits; left != 0; left &= left - 1) {
                strangers.set(slot + Long.numberOfTrailingZeros(left));
            }
        }
        for (long left = from.getLong(); left > 0; left--) {
            touching.add(from.getLong(), step - 1);
        }
    }

    private boolean hasEnded(int place, BitSet asleep) {
        long pair = touching.pairAt(place);
        return pair >= 0
                && touching.lastSeenAt(place) != step
                && !(asleep.get(first(pair)) && (second(pair) == EventWriter.NO_BODY || asleep.get(second(pair))));
    }

    private boolean isStranger(int slot) {
        return slot == EventWriter.NO_BODY || strangers.get(slot);
    }

    /** Packs a pair into one number, never negative: the lower slot first, and NO_BODY last. */
    private static long pair(int slot, int other) {
        boolean inOrder = other == EventWriter.NO_BODY || (slot != EventWriter.NO_BODY && slot < other);
        return ((long) (inOrder ? slot : other) << Integer.SIZE) | ((inOrder ? other : slot) & 0xffffffffL);
    }

    private static int first(long pair) {
        return (int) (pair >>> Integer.SIZE);
    }

    private static int second(long pair) {
        return (int) pair;
    }
}
