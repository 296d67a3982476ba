package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Trial;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A fault planted on purpose into the numbers of events, to check that the ledger finds it. */
enum InputFault {
    /** No fault: the test itself. */
    NONE(null),
    /** The place of the first event is left out, as if it had been lost. */
    LOSE(Promise.INPUT_ONCE),
    /** The first two events have the same place. */
    DOUBLE(Promise.INPUT_ONCE),
    /** Neighbours change places. */
    REORDER(Promise.INPUT_ORDER),
    /** Now and then a producer notes an accepted event as refused. */
    DENY(Promise.INPUT_SUMS);

    private static final List<InputFault> ALL = List.of(values());
    private static final long DENIED_EVERY = 8;

    private final @Nullable Promise breaks;

    InputFault(@Nullable Promise breaks) {
        this.breaks = breaks;
    }

    /** The fault that breaks the promise planted in the trial. */
    static InputFault plantedIn(Trial trial) {
        for (InputFault fault : ALL) {
            if (fault.breaks != null && trial.isPlanted(fault.breaks)) {
                return fault;
            }
        }
        return NONE;
    }

    /** The place of an event, by the number of events accepted before it. */
    long place(long accepted) {
        return switch (this) {
            case LOSE -> accepted + 1;
            case DOUBLE -> Math.max(0, accepted - 1);
            case REORDER -> accepted ^ 1;
            default -> accepted;
        };
    }

    /** Whether the producer notes this offer as refused, by the number of its offers. */
    boolean denies(long offered) {
        return this == DENY && offered % DENIED_EVERY == 0;
    }
}
