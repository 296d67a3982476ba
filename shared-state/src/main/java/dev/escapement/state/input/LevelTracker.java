package dev.escapement.state.input;

/**
 * Finds the levels that changed while simulated time stood still, so that no event of a tick explains them. A log of the events of every
 * tick and of these changes has all input that ticks can see.
 *
 * <p>One thread. Allocates nothing.
 *
 * @see RecordedInput#level
 */
public final class LevelTracker {

    /** How many levels there are: at most this many change between two ticks. */
    public static final int MAX_LEVELS =
            InputState.KEYS + InputState.POINTER_BUTTONS + InputState.BUTTONS + InputState.AXES;

    /** Is called for each changed level. */
    @FunctionalInterface
    public interface Visitor {

        /**
         * Called for each level that the events do not explain.
         *
         * @param kind the kind of an event that would change the level so
         * @param code the code of such an event
         * @param x    the position of an axis, 0 for other levels
         */
        void level(InputKind kind, int code, float x);
    }

    private static final InputState NOTHING_HELD = new InputState();

    private final InputState known = new InputState();

    /** Creates a tracker that starts with nothing held. */
    public LevelTracker() {}

    /**
     * Applies the input of a tick, and visits the levels that no event of this tick or an earlier one explains.
     *
     * @param frame   the tick's input
     * @param visitor is called for each such level
     */
    public void follow(InputFrame frame, Visitor visitor) {
        for (int i = 0; i < frame.size(); i++) {
            known.apply(frame.event(i));
        }
        frame.state().reportFrom(known, visitor);
        known.copyFrom(frame.state());
    }

    /**
     * Visits the levels that are held after the last tick, from which a log may go on.
     *
     * @param visitor is called for each
     */
    public void held(Visitor visitor) {
        known.reportFrom(NOTHING_HELD, visitor);
    }
}
