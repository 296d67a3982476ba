package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Trial;

/** A fault planted on purpose into what numbered events say of themselves, to see that the ledger finds it. */
public enum InputFault {
    /** Nothing: this is the test. */
    NONE,
    /** The place of the first event is passed over, as if it had been lost. */
    LOSE,
    /** The first two events have the same place. */
    DOUBLE,
    /** Neighbours change places. */
    REORDER,
    /** Now and then a producer notes that an event was refused that was accepted. */
    DENY,
    /** Every tick says that it was due a nanosecond later than it was. */
    MISPLACE;

    private static final long DENIED_EVERY = 8;

    /** What breaks the promise that the trial is to break now. */
    static InputFault plantedIn(Trial trial) {
        if (trial.isPlanted(Promise.INPUT_ONCE)) {
            return LOSE;
        } else if (trial.isPlanted(Promise.INPUT_ORDER)) {
            return REORDER;
        } else if (trial.isPlanted(Promise.INPUT_PLACED)) {
            return MISPLACE;
        }
        return trial.isPlanted(Promise.INPUT_SUMS) ? DENY : NONE;
    }

    /** The place that an event claims before which so many were accepted. */
    long place(long accepted) {
        return switch (this) {
            case LOSE -> accepted + 1;
            case DOUBLE -> Math.max(0, accepted - 1);
            case REORDER -> accepted ^ 1;
            default -> accepted;
        };
    }

    /** Whether the producer of so many offers takes this one for refused. */
    boolean denies(long offered) {
        return this == DENY && offered % DENIED_EVERY == 0;
    }
}
