package dev.escapement.state.input;

/**
 * Finds the levels that changed otherwise than by the events of ticks: while simulated time stood still. Who writes down the events
 * of every tick, and these, has written down all that ticks can see.
 *
 * <p>One thread. Allocates nothing.
 *
 * @see RecordedInput#level
 */
public final class LevelTracker {

    /** How many levels there are, and at most change between two ticks. */
    public static final int MOST_LEVELS =
            InputState.KEYS + InputState.POINTER_BUTTONS + InputState.BUTTONS + InputState.AXES;

    /** Is told of levels, each as what happened to it. */
    @FunctionalInterface
    public interface Visitor {

        /**
         * Called for each level that the events do not explain.
         *
         * @param kind that of an event that would explain it
         * @param code that of such an event
         * @param x    where the axis stands, 0 for what is no axis
         */
        void level(InputKind kind, int code, float x);
    }

    private final InputState known = new InputState();

    /** Creates a tracker for which nothing is held. */
    public LevelTracker() {}

    /**
     * Follows a tick.
     *
     * @param frame   the tick's input
     * @param visitor is told which levels its events and those before do not explain
     */
    public void follow(InputFrame frame, Visitor visitor) {
        for (int i = 0; i < frame.size(); i++) {
            known.apply(frame.event(i));
        }
        frame.state().tellFrom(known, visitor);
        known.copyFrom(frame.state());
    }
}
