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

    /** Stands for all senders together, whose levels are not the sum of the others. */
    public static final int ALL = -1;

    /** Is called for each changed level. */
    @FunctionalInterface
    public interface Visitor {

        /**
         * Called for each level that the events do not explain; before that, for each sender that has joined or left without an event.
         *
         * @param sender whose level, or {@link #ALL}
         * @param kind   the kind of an event that would change the level so
         * @param code   the code of such an event
         * @param x      the position of an axis, 0 for other levels
         */
        void level(int sender, InputKind kind, int code, float x);
    }

    static final SenderLevels NOTHING_HELD = new SenderLevels();

    private final SenderLevels known = new SenderLevels();

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
        frame.levels().reportFrom(known, visitor);
        known.copyFrom(frame.levels());
    }

    /**
     * Visits the levels in which a tick differs from the last one, whether or not events explain it. {@link #follow} then visits at most
     * these, and two for each event.
     *
     * @param frame   the tick's input
     * @param visitor is called for each such level
     */
    public void differences(InputFrame frame, Visitor visitor) {
        frame.levels().reportFrom(known, visitor);
    }

    /**
     * Visits the senders that have joined and the levels that are held after the last tick, from which a log may go on.
     *
     * @param visitor is called for each
     */
    public void held(Visitor visitor) {
        known.reportFrom(NOTHING_HELD, visitor);
    }
}
