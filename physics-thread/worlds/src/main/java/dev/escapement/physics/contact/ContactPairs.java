package dev.escapement.physics.contact;

import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.state.event.BodyEvent;
import dev.escapement.state.event.EventWriter;
import java.util.Arrays;
import java.util.BitSet;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Turns an engine's touching pairs of shapes into contacts that begin, last and end. A pair of shapes is one contact, whatever its number
 * of points or manifolds.
 *
 * <pre>{@code
 * if (pairs.touch(ball, fixture, wall, 0, false)) {         // in the step or after it, for every pair that touches
 *     pairs.point(x, y, z, nx, ny, nz, depth);              // for each point
 *     pairs.impulse(newtonSeconds);
 * }
 * pairs.report(asleep, Sleepers.TOUCH, events);             // once after the step, in Simulation.events
 * }</pre>
 *
 * <p><b>Sides.</b> A side is the slot of a body that readers see, or a number for another body of the engine: {@link #unattached}. So an
 * unattached floor and an unattached wall are two sides. A pair without a body that readers see is no contact.
 *
 * <p><b>Sleep.</b> Many engines do not report pairs whose sides both sleep. {@link #report} asks the engine whether such a pair still
 * touches, once in eight steps.
 *
 * <p><b>Not watched.</b> While no contacts are wanted, call {@link #forget} instead of {@link #report}. For a pair that touches when
 * watching begins again, only its end is reported, because it may have begun to touch before.
 *
 * <p>One thread. Allocates only when more pairs touch than ever before, and when an unattached object touches for the first time.
 */
public final class ContactPairs {

    /** Computes how fast two sides approached before the engine stopped them, for contacts that begin. */
    @FunctionalInterface
    public interface ClosingSpeeds {

        /** No closing speed is known. */
        ClosingSpeeds UNKNOWN = (side, other, x, y, z, nx, ny, nz) -> Double.NaN;

        /** The side of the attached body with index 0 while no capture has given it a slot; body k has this side minus k. */
        int FIRST_WITHOUT_SLOT = -2;

        /**
         * {@return the closing speed in metres a second along the normal; NaN if unknown}
         *
         * @param side  a side, as for {@link ContactPairs#touch}
         * @param other the other side
         * @param x     x of the contact, metres
         * @param y     y of the contact, metres
         * @param z     z of the contact, metres
         * @param nx    the unit normal from the first to the other, x
         * @param ny    the unit normal from the first to the other, y
         * @param nz    the unit normal from the first to the other, z
         */
        double of(long side, long other, double x, double y, double z, double nx, double ny, double nz);
    }

    /** Answers whether sleeping pairs that the engine did not report still touch. */
    @FunctionalInterface
    public interface Sleepers {

        /** All pairs touch as long as both sides sleep. */
        Sleepers TOUCH = (side, shape, other, otherShape, isSensor) -> true;

        /**
         * {@return whether a pair still touches that has not moved} The pair no longer touches if one of its bodies, shapes or sensors is
         * gone, or if its sides may no longer collide.
         *
         * @param side       the slot of the body that readers see
         * @param shape      the shape of that body
         * @param other      the other side, as for {@link ContactPairs#touch}
         * @param otherShape the shape of the other side
         * @param isSensor   whether the contact was one of a sensor
         */
        boolean touch(int side, int shape, long other, int otherShape, boolean isSensor);
    }

    private static final int CLOSING_SPEED = 6;
    private static final int IMPULSE = 7;
    private static final int DEPTH = 8;
    private static final int NUMBERS = 9;

    /** The side of the unattached object with key 0; key k has this side minus k. All other sides are {@code int}s, and so higher. */
    private static final long UNATTACHED = -(1L << Integer.SIZE);

    /** Set in the first side of a sensor's contact, so that a sensor that becomes solid ends one contact and begins another. */
    private static final long SENSOR = 1L << (Integer.SIZE + 1);

    /** How many steps apart the calls of {@link Sleepers#touch} for a pair are: their answer takes longer than all other work. */
    private static final int STEPS_TO_ASK = 8;

    private static final int NONE = -1;

    private final ClosingSpeeds speeds;

    /**
     * The contacts, keyed by both sides and both shapes. The value is the last step in which the contact touched, or ~i if report number i
     * of this step is about the contact.
     */
    private final PairTable touching = new PairTable();

    /** The number of contacts of each pair of sides. */
    private final PairTable bodies = new PairTable();

    private final ObjectKeys objects = new ObjectKeys();

    /**
     * The slots of bodies that existed before contacts were wanted, until {@link #report} finds them awake. Two such bodies may have
     * touched before, so the beginning of their contact is not reported.
     */
    private final BitSet strangers = new BitSet();

    /** The slots of bodies whose contacts are reported in each step while they last. */
    private final BitSet lasting = new BitSet();

    private long step = 1; // from 1: restored pairs get step - 1, and a negative number means a report
    private boolean watched = true;

    // The contacts to report in this step: both sides, both shapes, two flags, and nine numbers: point, normal, closing
    // speed, impulse and depth.
    private long[] firsts = new long[16];
    private long[] seconds = new long[16];
    private long[] shapes = new long[16];
    private final BitSet isOfBodies = new BitSet();
    private final BitSet isLasting = new BitSet();
    private double[] geometry = new double[16 * NUMBERS];
    private int reports;

    /** The number of the report that takes the next points and impulses; {@link #NONE} if no report does. */
    private int current = NONE;

    /** Whether the caller of {@link #touch} named the sides in the reverse order, which reverses normals. */
    private boolean isFlipped;

    // The key of the contact that find() looked for last.
    private long first;
    private long second;
    private long pair;

    // The snapshots' origin, from which reported points are measured; metres in the world.
    private double originX;
    private double originY;
    private double originZ;

    /** Creates the pairs of a world in which nothing touches yet, with unknown closing speeds. */
    public ContactPairs() {
        this(ClosingSpeeds.UNKNOWN);
    }

    /**
     * Creates the pairs of a world in which nothing touches yet.
     *
     * @param speeds computes the closing speed in each call of {@link #point}
     */
    public ContactPairs(ClosingSpeeds speeds) {
        this.speeds = speeds;
    }

    /**
     * {@return the side of a body that readers do not see, from its key}
     *
     * @param key 0 or more, such as a native address: {@link BodyEvent#otherKey()} returns it
     */
    public static long unattached(long key) {
        return UNATTACHED - key;
    }

    /**
     * {@return the side of an object that readers do not see} The first call gives the object a key.
     *
     * @param object an object of the engine; equal objects are the same
     */
    public long unattachedObject(Object object) {
        return unattached(objects.keyOf(object));
    }

    /**
     * {@return the object for which {@link #unattachedObject} returned a side; null if the object is gone}
     *
     * @param side the side
     */
    public @Nullable Object objectOf(long side) {
        return objects.objectOf(UNATTACHED - side);
    }

    /**
     * Sets whether the contacts of a body are reported in each step while they last, if their impulse is known.
     *
     * @param slot  the slot of a body
     * @param tells true to report them; false is the initial state
     */
    public void tellLasting(int slot, boolean tells) {
        lasting.set(slot, tells);
    }

    /**
     * Reports that two bodies without shapes touch in this step, see {@link #touch(long, int, long, int, boolean)}.
     *
     * @param side  the slot of a body, or {@link EventWriter#NO_SLOT}
     * @param other the slot of another body, or {@link EventWriter#NO_SLOT}
     * @return true if the contact begins
     */
    public boolean touch(long side, long other) {
        return touch(side, BodyEvent.NO_SHAPE, other, BodyEvent.NO_SHAPE, false);
    }

    /**
     * Reports that two shapes touch in this step.
     *
     * @param side       the slot of a body, {@link #unattached}, or {@link EventWriter#NO_SLOT} for an unknown object
     * @param shape      the engine's index or key of the shape of that side, or {@link BodyEvent#NO_SHAPE}
     * @param other      the other side
     * @param otherShape the shape of the other side
     * @param isSensor   whether one of them is a sensor
     * @return true if the contact needs its points and impulses: it begins, or is reported while it lasts. Then call {@link #point} for
     *     each point, and {@link #impulse(double)}
     */
    public boolean touch(long side, int shape, long other, int otherShape, boolean isSensor) {
        current = NONE;
        if (side < 0 && other < 0) {
            return false;
        }
        int place = find(side, shape, other, otherShape, isSensor);
        long number = touching.number(place);
        if (number == PairTable.NONE) {
            begin(first, second, pair);
        } else if (number < 0) {
            current = (int) ~number;
        } else {
            touching.number(place, step);
            if (!lasting.isEmpty() && (lasting.get((int) first) || (second >= 0 && lasting.get((int) second)))) {
                touching.number(place, ~(long) report(first, second, pair, true));
            }
        }
        return current != NONE;
    }

    /**
     * {@return whether a contact has begun already} If it began in an earlier step, {@link #touch} does not begin it again, and needs its
     * points only if it is reported while it lasts. If it began in this step, {@link #touch} still takes its points.
     *
     * @param side       a side; all parameters are those of {@code touch}
     * @param shape      its shape
     * @param other      the other side
     * @param otherShape its shape
     * @param isSensor   whether one of them is a sensor
     */
    public boolean knows(long side, int shape, long other, int otherShape, boolean isSensor) {
        return (side < 0 && other < 0)
                || touching.number(find(side, shape, other, otherShape, isSensor)) != PairTable.NONE;
    }

    /** {@return whether the contacts of any body are reported while they last} */
    public boolean tellsLasting() {
        return !lasting.isEmpty();
    }

    /** Finds or adds a contact. Orders its sides: the lower slot first, and a side without a slot last. */
    private int find(long side, int shape, long other, int otherShape, boolean isSensor) {
        isFlipped = side < 0 || (other >= 0 && other < side);
        first = (isFlipped ? other : side) | (isSensor ? SENSOR : 0);
        second = isFlipped ? side : other;
        pair = (long) (isFlipped ? otherShape : shape) << Integer.SIZE
                | ((isFlipped ? shape : otherShape) & 0xffffffffL);
        return touching.find(first, second, pair);
    }

    private void begin(long one, long other, long shapesOfBoth) {
        if (strangers.get((int) one) && (other < 0 || strangers.get((int) other))) {
            add(one, other, shapesOfBoth, step);
        } else {
            int report = report(one, other, shapesOfBoth, false);
            isOfBodies.set(report, add(one, other, shapesOfBoth, ~(long) report));
        }
    }

    private int report(long one, long other, long shapesOfBoth, boolean lasts) {
        if (reports == firsts.length) {
            firsts = Arrays.copyOf(firsts, 2 * reports);
            seconds = Arrays.copyOf(seconds, 2 * reports);
            shapes = Arrays.copyOf(shapes, 2 * reports);
            geometry = Arrays.copyOf(geometry, 2 * reports * NUMBERS);
        }
        firsts[reports] = one;
        seconds[reports] = other;
        shapes[reports] = shapesOfBoth;
        isOfBodies.clear(reports);
        isLasting.set(reports, lasts);
        Arrays.fill(geometry, reports * NUMBERS, reports * NUMBERS + DEPTH, Double.NaN);
        geometry[reports * NUMBERS + DEPTH] = Double.NEGATIVE_INFINITY;
        current = reports;
        return reports++;
    }

    /** Adds a contact. Returns whether it is the first contact between its two sides. */
    private boolean add(long one, long other, long shapesOfBoth, long seen) {
        touching.put(one, other, shapesOfBoth, seen);
        return bodies.add(one, other, 1) == 1;
    }

    /**
     * Adds a point to the contact that {@link #touch} has just reported. Only the deepest point of a contact is reported.
     *
     * @param x     x of the point, metres in the world, or from the snapshots' origin if {@link #origin} is never called
     * @param y     y of the point, measured like x
     * @param z     z of the point, measured like x
     * @param nx    the unit normal from the first side to the other, x
     * @param ny    the unit normal from the first side to the other, y
     * @param nz    the unit normal from the first side to the other, z
     * @param depth the penetration depth of the shapes there, metres; negative if they are apart
     */
    public void point(double x, double y, double z, double nx, double ny, double nz, double depth) {
        if (isDeepest(depth)) {
            place(x, y, z, nx, ny, nz, depth);
            if (!isLasting.get(current)) {
                int at = current * NUMBERS;
                double[] g = geometry;
                g[at + CLOSING_SPEED] =
                        speeds.of(slot(firsts[current]), seconds[current], x, y, z, g[at + 3], g[at + 4], g[at + 5]);
            }
        }
    }

    /**
     * Adds a point with a given closing speed, for engines that have changed the speeds by the time of this call, so that {@link
     * ClosingSpeeds} cannot compute it.
     *
     * @param x            x of the point; this and the next six parameters are those of the other {@code point} method
     * @param y            likewise
     * @param z            likewise
     * @param nx           likewise
     * @param ny           likewise
     * @param nz           likewise
     * @param depth        likewise
     * @param closingSpeed the closing speed, metres a second along the normal; NaN if unknown
     */
    public void point(
            double x, double y, double z, double nx, double ny, double nz, double depth, double closingSpeed) {
        if (isDeepest(depth)) {
            place(x, y, z, nx, ny, nz, depth);
            geometry[current * NUMBERS + CLOSING_SPEED] = closingSpeed;
        }
    }

    private boolean isDeepest(double depth) {
        return current != NONE && depth > geometry[current * NUMBERS + DEPTH];
    }

    private void place(double x, double y, double z, double nx, double ny, double nz, double depth) {
        int at = current * NUMBERS;
        geometry[at] = x;
        geometry[at + 1] = y;
        geometry[at + 2] = z;
        geometry[at + 3] = isFlipped ? 0 - nx : nx;
        geometry[at + 4] = isFlipped ? 0 - ny : ny;
        geometry[at + 5] = isFlipped ? 0 - nz : nz;
        geometry[at + DEPTH] = depth;
    }

    /**
     * Adds an impulse at one point of the contact that {@link #touch} has just reported.
     *
     * @param impulse the impulse along the normal, newton seconds; NaN, if unknown, adds nothing
     */
    public void impulse(double impulse) {
        if (current != NONE && !Double.isNaN(impulse)) {
            int at = current * NUMBERS + IMPULSE;
            geometry[at] = Double.isNaN(geometry[at]) ? impulse : geometry[at] + impulse;
        }
    }

    /**
     * Adds an impulse to a solid contact of this step, for engines that report impulses separately. Does nothing for a contact that is not
     * reported.
     *
     * @param side       as for {@link #touch}
     * @param shape      the shape of that side
     * @param other      the other side
     * @param otherShape the shape of the other side
     * @param impulse    the impulse along the normal, newton seconds; NaN, if unknown, adds nothing
     */
    public void impulse(long side, int shape, long other, int otherShape, double impulse) {
        long number =
                side < 0 && other < 0 ? PairTable.NONE : touching.number(find(side, shape, other, otherShape, false));
        current = number < 0 && number != PairTable.NONE ? (int) ~number : NONE;
        impulse(impulse);
    }

    /**
     * Sets the origin of the snapshots whose contacts are reported from now on. The initial origin is the world's zero.
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
     * Ends a step. Reports the contacts that began in it or still last, and ends the contacts that no longer touch.
     *
     * @param asleep   the bodies that slept when the step began, whose contacts the engine may not have reported
     * @param sleepers answers whether the unreported contacts of sleeping bodies still touch
     * @param events   takes the contacts
     */
    public void report(BitSet asleep, Sleepers sleepers, EventWriter events) {
        for (int i = 0; i < reports; i++) {
            write(i, events);
            int place = touching.find(firsts[i], seconds[i], shapes[i]);
            if (touching.number(place) != PairTable.NONE) {
                touching.number(place, step);
            }
        }
        reports = 0;
        current = NONE;
        for (int place = 0; place < touching.places(); place++) {
            while (hasEnded(place, asleep, sleepers)) { // again, because a removal may move another pair to this place
                end(place, events);
            }
        }
        strangers.and(asleep);
        watched = true;
        step++;
    }

    private void write(int i, EventWriter events) {
        int at = i * NUMBERS;
        if (isLasting.get(i) && Double.isNaN(geometry[at + IMPULSE])) {
            return;
        }
        int slot = slot(firsts[i]);
        int other = (int) Math.max(EventWriter.NO_SLOT, seconds[i]);
        float x = (float) (geometry[at] - originX);
        float y = (float) (geometry[at + 1] - originY);
        float z = (float) (geometry[at + 2] - originZ);
        float nx = (float) geometry[at + 3];
        float ny = (float) geometry[at + 4];
        float nz = (float) geometry[at + 5];
        events.contactBegan(slot, other, x, y, z, nx, ny, nz);
        if (isLasting.get(i)) {
            events.lasts();
        }
        events.strength((float) geometry[at + IMPULSE], (float) geometry[at + CLOSING_SPEED]);
        writeShapes(firsts[i], seconds[i], shapes[i], isOfBodies.get(i), events);
    }

    private static void writeShapes(long one, long other, long shapesOfBoth, boolean ofBodies, EventWriter events) {
        long key = other <= UNATTACHED ? UNATTACHED - other : 0;
        events.shapes(key, (int) (shapesOfBoth >> Integer.SIZE), (int) shapesOfBoth, one >= SENSOR, ofBodies);
    }

    private void end(int place, EventWriter events) {
        long one = touching.first(place);
        long other = touching.second(place);
        long shapesOfBoth = touching.shapes(place);
        touching.removeAt(place);
        writeEnd(one, other, shapesOfBoth, bodies.add(one, other, -1) == 0, events);
    }

    private static void writeEnd(long one, long other, long shapesOfBoth, boolean ofBodies, EventWriter events) {
        events.contactEnded(slot(one), (int) Math.max(EventWriter.NO_SLOT, other));
        writeShapes(one, other, shapesOfBoth, ofBodies, events);
    }

    private boolean hasEnded(int place, BitSet asleep, Sleepers sleepers) {
        long number = touching.number(place);
        if (number == PairTable.NONE || number == step) {
            return false;
        }
        long one = touching.first(place);
        long other = touching.second(place);
        long both = touching.shapes(place);
        boolean isAsleep = asleep.get(slot(one)) && (other < 0 || asleep.get((int) other));
        return !isAsleep
                || ((slot(one) + step) % STEPS_TO_ASK == 0
                        && !sleepers.touch(slot(one), (int) (both >> Integer.SIZE), other, (int) both, one >= SENSOR));
    }

    /**
     * Notes that bodies were spawned in this step. The beginning of each of their contacts is reported, because a spawned body touched
     * nothing before.
     *
     * @param came the slots of the spawned bodies
     */
    public void newcomers(BitSet came) {
        strangers.andNot(came);
    }

    /**
     * Ends the contacts of bodies that are gone. Call it before reporting contacts of other bodies in the same slots.
     *
     * @param gone   the slots of the bodies that are gone
     * @param events takes the contacts
     */
    public void endOf(BitSet gone, EventWriter events) {
        for (int place = 0; !gone.isEmpty() && place < touching.places(); place++) {
            while (touchesAnyOf(place, gone)) { // again, because a removal may move another pair to this place
                end(place, events);
            }
        }
        strangers.andNot(gone);
    }

    private boolean touchesAnyOf(int place, BitSet gone) {
        long other = touching.second(place);
        return touching.number(place) != PairTable.NONE
                && (gone.get(slot(touching.first(place))) || (other >= 0 && gone.get((int) other)));
    }

    /**
     * Skips a step whose contacts are not wanted.
     *
     * @param slots the number of slots that may hold a body, which are 0 to {@code slots - 1}
     */
    public void forget(int slots) {
        if (watched || reports > 0) {
            touching.clear();
            bodies.clear();
            reports = 0;
            watched = false;
        }
        strangers.set(0, slots);
    }

    /**
     * Reports all contacts that last, as {@link dev.escapement.state.event.Contacts.Source} does.
     *
     * @param contacts takes them
     * @throws IllegalStateException if the last step was not watched
     */
    public void list(EventWriter contacts) {
        if (!watched) {
            throw new IllegalStateException("nobody was subscribed to events in the last step, so contacts are not"
                    + " known; subscribe, and ask again after the next tick");
        }
        for (int place = 0; place < touching.places(); place++) {
            if (touching.number(place) != PairTable.NONE) {
                writeEnd(touching.first(place), touching.second(place), touching.shapes(place), false, contacts);
            }
        }
    }

    /**
     * Saves all contacts. Call it after {@link #report} or {@link #forget}.
     *
     * @param to takes the contacts
     */
    public void save(StateBuffer to) {
        to.put(step).put(watched ? 1L : 0).put((long) strangers.length());
        for (long slots : strangers.toLongArray()) {
            to.put(slots);
        }
        touching.save(to);
    }

    /**
     * Continues with the contacts of a saved state. Contacts that began or ended since the save are not reported any more.
     *
     * @param from the saved state
     */
    public void restore(StateBuffer from) {
        touching.clear();
        bodies.clear();
        strangers.clear();
        reports = 0;
        current = NONE;
        step = from.getLong();
        watched = from.getLong() != 0;
        long words = (from.getLong() + Long.SIZE - 1) / Long.SIZE;
        strangers.or(
                BitSet.valueOf(LongStream.generate(from::getLong).limit(words).toArray()));
        for (long left = from.getLong(); left > 0; left--) {
            add(from.getLong(), from.getLong(), from.getLong(), step - 1);
        }
    }

    private static int slot(long side) {
        return (int) side; // drops the SENSOR flag
    }
}
