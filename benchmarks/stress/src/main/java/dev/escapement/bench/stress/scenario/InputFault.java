package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.stress.scenario.NumberedProducer.Gate;
import dev.escapement.state.input.InputRing;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/** A fault planted on purpose between the producers of input and the ring, to see that it is found. */
public enum InputFault {
    /** Nothing: this is the test. */
    NONE,
    /** Now and then an event is lost, and its producer told that it was accepted. */
    LOSE,
    /** Now and then an event is offered twice. */
    DOUBLE,
    /** Now and then two neighbours change places, each with the other's time. */
    REORDER,
    /** Now and then an event goes on its way, and its producer is told that it was refused. */
    DENY,
    /** Every tick says that it was due a nanosecond later than it was. */
    MISPLACE;

    /** A gate for one producer into a ring. */
    Gate gateTo(InputRing ring) {
        Gate gate = Gate.to(ring);
        return this == NONE || this == MISPLACE ? gate : new Faulty(this, gate);
    }

    /** Breaks the tenth event and every thousandth after it. One producer's. */
    private static final class Faulty implements Gate {

        private static final int FIRST = 10;
        private static final int EVERY = 1000;

        private final InputFault fault;
        private final Gate gate;
        private int offers;
        /** Offers the event that was held back, at another time. */
        private @Nullable LongPredicate held;

        private long heldNanos;

        Faulty(InputFault fault, Gate gate) {
            this.fault = fault;
            this.gate = gate;
        }

        @Override
        public boolean offer(long timeNanos, int code, float x, float y) {
            LongPredicate before = held;
            if (before != null) {
                held = null;
                boolean accepted = gate.offer(heldNanos, code, x, y);
                return before.test(timeNanos) && accepted;
            }
            if (++offers % EVERY != FIRST) {
                return gate.offer(timeNanos, code, x, y);
            }
            switch (fault) {
                case LOSE -> {
                    return true;
                }
                case DOUBLE -> {
                    boolean accepted = gate.offer(timeNanos, code, x, y);
                    return gate.offer(timeNanos, code, x, y) || accepted;
                }
                case DENY -> {
                    gate.offer(timeNanos, code, x, y);
                    return false;
                }
                case REORDER -> {
                    heldNanos = timeNanos;
                    held = nanos -> gate.offer(nanos, code, x, y);
                    return true;
                }
                default -> throw new IllegalStateException("this fault is not one of a gate: " + fault);
            }
        }
    }
}
