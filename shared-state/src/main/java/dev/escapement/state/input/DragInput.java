package dev.escapement.state.input;

import dev.escapement.state.snapshot.BodyId;

/**
 * Drags a body by input events: holds it, pulls it towards a position, releases it.
 *
 * <p>World simulations pull the body with a spring. Like all input, a drag is recorded with its tick and replayed.
 *
 * <pre>{@code
 * DragInput.hold(physics.input(), clock.nanoTime(), body);      // the pointer's button went down
 * DragInput.to(physics.input(), clock.nanoTime(), x, y, z);     // the pointer moved
 * DragInput.end(physics.input(), clock.nanoTime());             // the button came up
 * }</pre>
 *
 * <p>One sender at a time drags one body; meanwhile, drag events of other senders have no effect. A drag ends with an {@link #END} of its
 * sender, or when its sender {@linkplain InputKind#SENDER_LEFT leaves}; then another sender must take hold anew. A drag also lasts while
 * the held body does not exist: offer an {@link #END} also after a body was destroyed. If the dragging sender of a restored state is
 * absent, an {@link #END} of sender 0 ends the drag, and any sender may take hold. Drag events of a pause reach no tick. If one of them
 * ended a drag, or its sender left, the next tick gets an {@link #END}.
 *
 * <p>The events have the kind {@link InputKind#APPLICATION}. A position takes three events, because at 10,000 km a single float is exact
 * only to a metre:
 *
 * <pre>
 * code        x                          y
 * HOLD        bits 0 to 23 of the slot   bits 24 to 27 of the slot, then the 20 lowest bits of the generation
 * REMAINDER   x minus its float          z minus its float
 * HEIGHT      y as a float               y minus its float
 * TO          x as a float               z as a float
 * END         1: ends any sender's drag  0
 * </pre>
 *
 * <p>Any thread.
 */
public final class DragInput {

    /** Stands for no sender: none drags a body. */
    public static final int NOBODY = -1;

    /** Event code that takes hold of {@link #body}; until the first {@link #TO} the body stays where it is. */
    public static final int HOLD = 0x4452_4147; // the letters DRAG, so that no application uses the code by accident

    /** Event code for the height of the next {@link #TO}, which is the sum of the event's x and y. */
    public static final int HEIGHT = HOLD + 1;

    /**
     * Event code that pulls the held body to a position. {@link #HEIGHT} and {@link #REMAINDER} before it have the rest of the coordinates.
     */
    public static final int TO = HOLD + 2;

    /**
     * Event code that releases the held body. If no tick takes this event, the next tick gets one of the sampler's own, with sequence
     * -1. After a seek it gets one of sender 0 with an x of 1, which ends the drag of any sender.
     */
    public static final int END = HOLD + 3;

    /** Event code for the parts of x and z that the floats of the next {@link #TO} lack. */
    public static final int REMAINDER = HOLD + 4;

    private static final int EXACT_BITS = 24;

    private static final int EXACT = (1 << EXACT_BITS) - 1;
    private static final int SLOT_BITS = 28;

    /** The number of low bits of a generation that fit an event. The same bits return after 500,000 bodies in a slot. */
    private static final int GENERATION_BITS = 2 * EXACT_BITS - SLOT_BITS;

    private DragInput() {}

    /**
     * Takes hold of a body.
     *
     * @param sink      takes the events
     * @param timeNanos when it happened, an instant of the clock
     * @param body      its {@link BodyId}; without effect for a body that does not exist, or that forces do not move
     * @return whether the ring accepted it, see {@link InputSink#offer}
     * @throws IllegalArgumentException if there is no such slot, or the stamp is too far ahead of the clock, see {@link InputSink#offer}
     */
    public static boolean hold(InputSink sink, long timeNanos, long body) {
        int slot = BodyId.slot(body);
        if (slot >>> SLOT_BITS != 0) {
            throw new IllegalArgumentException("no world has a slot " + slot + " as in " + BodyId.toString(body)
                    + "; pass the id of a body, as BodyId.of(slot, generation) composes it");
        }
        int rest = (slot >>> EXACT_BITS) | (BodyId.generation(body) << (SLOT_BITS - EXACT_BITS));
        return sink.offer(timeNanos, InputKind.APPLICATION, HOLD, slot & EXACT, rest & EXACT);
    }

    /**
     * Pulls the held body towards a position.
     *
     * @param sink      takes the events
     * @param timeNanos when it happened, an instant of the clock
     * @param x         metres; 48 bits arrive, which are exact to a ten-thousandth of a millimetre even 10,000 km away
     * @param y         metres
     * @param z         metres
     * @return whether the ring accepted all three events; if not, the position does not change
     * @throws IllegalArgumentException if a coordinate is NaN or larger than a float, or the stamp is too far ahead of the clock, see
     *                                  {@link InputSink#offer}
     */
    public static boolean to(InputSink sink, long timeNanos, double x, double y, double z) {
        if (!Float.isFinite((float) x) || !Float.isFinite((float) y) || !Float.isFinite((float) z)) {
            throw new IllegalArgumentException(
                    "a body cannot be pulled to (" + x + ", " + y + ", " + z
                            + "); pass finite metres, at most as large as a float, and leave the event out if there is no such position");
        }
        return sink.offer(timeNanos, InputKind.APPLICATION, REMAINDER, remainder(x), remainder(z))
                && sink.offer(timeNanos, InputKind.APPLICATION, HEIGHT, (float) y, remainder(y))
                && sink.offer(timeNanos, InputKind.APPLICATION, TO, (float) x, (float) z);
    }

    private static float remainder(double metres) {
        return (float) (metres - (float) metres);
    }

    /**
     * Releases the held body.
     *
     * @param sink      takes the events
     * @param timeNanos when it happened, an instant of the clock
     * @return whether the ring accepted it; if not, the body is still held
     * @throws IllegalArgumentException if the stamp is too far ahead of the clock, see {@link InputSink#offer}
     */
    public static boolean end(InputSink sink, long timeNanos) {
        return sink.offer(timeNanos, InputKind.APPLICATION, END, 0, 0);
    }

    /**
     * {@return the {@link BodyId} in an event {@link #HOLD}, with only the lowest bits of the generation} Compare it by {@link #isSame}.
     * Allocates nothing.
     *
     * @param event an event with the code {@link #HOLD}
     */
    public static long body(InputEvent event) {
        int rest = (int) event.y();
        int slot = ((int) event.x() & EXACT) | ((rest << EXACT_BITS) & ((1 << SLOT_BITS) - 1));
        return BodyId.of(slot, rest >>> (SLOT_BITS - EXACT_BITS));
    }

    /**
     * {@return the sender that drags after an event, or {@link #NOBODY}} For simulations that read these events themselves. Allocates
     * nothing.
     *
     * @param before the sender that dragged before the event, or {@link #NOBODY}
     * @param input  the input of a tick
     * @param index  the number of any of its events
     * @throws IndexOutOfBoundsException if there is no such event
     */
    public static int dragger(int before, InputFrame input, int index) {
        InputEvent event = input.event(index);
        boolean holds = event.kind.effect(event.code) == InputKind.Effect.BEGIN;
        boolean ends = event.kind.effect(event.code) == InputKind.Effect.END;
        // The dragging sender is absent if it left before the restore of a state in which it drags, or has joined the
        // server, but not this client. Its drag continues, so that the client predicts it, until this process ends it
        // or another sender takes hold.
        if (before == NOBODY || (holds && !input.has(before))) {
            return holds ? event.sender() : NOBODY;
        }
        if (!ends && event.kind() != InputKind.SENDER_LEFT) {
            return before;
        }
        boolean isForAll = event.sender() == 0 && (event.x() != 0 || !input.has(before));
        return isForAll || event.sender() == before ? NOBODY : before;
    }

    /**
     * {@return whether two ids name the same body, by the slot and the bits of the generation in an event}
     *
     * @param held a result of {@link #body}
     * @param body the {@link BodyId} of a body
     */
    public static boolean isSame(long held, long body) {
        return (held ^ body) << (Integer.SIZE - GENERATION_BITS) == 0;
    }
}
