package dev.escapement.bench.flood;

import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.InputRing;

/** A fault planted on purpose, most of them between the producers and the ring, to see that it is found. */
public enum Plant {
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

    /** A way into a ring for one producer. */
    InputGate gateTo(InputRing ring) {
        InputGate gate = (timeNanos, code, x, y) -> ring.offer(timeNanos, InputKind.APPLICATION, code, x, y);
        return this == NONE || this == MISPLACE ? gate : new FaultyGate(this, gate);
    }
}
