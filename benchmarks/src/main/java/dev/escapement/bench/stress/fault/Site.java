package dev.escapement.bench.stress.fault;

import java.util.Locale;

/** Where a fault of a service strikes: a call of code that is not the library's, or one that other code makes of the library. */
enum Site {
    BEGIN(2, true),
    STEP(40, true),
    CAPTURE(40, true),
    EVENTS(40, true),
    END(2, true),
    POLL(40, true),
    DEVICE_END(2, true),
    LISTENER(40, true),
    /** A command, on the physics thread. */
    COMMAND(40, false),
    QUERY(40, false),
    /** What depends on the future of a command, on the thread that completes it. */
    ANSWER(40, false),
    /** A visitor of events. */
    VISIT(40, false),
    /** A frame of a reading thread. */
    READ(40, false),
    /** A thread that gives commands and input, once a millisecond. */
    USE(40, false),
    /** The thread that restarts the service, right before it does. */
    RESTART(2, false);

    /** The last call that a fault may strike. */
    final int lastMoment;

    /** Whether the service fails of what is thrown there. */
    final boolean fails;

    Site(int lastMoment, boolean fails) {
        this.lastMoment = lastMoment;
        this.fails = fails;
    }

    /** Whether this is what ends something, and not what goes on. */
    boolean isEnd() {
        return this == END || this == DEVICE_END;
    }

    /** Whether the physics thread is there, so that the service fails of what hangs. */
    boolean isOfPhysicsThread() {
        return fails || this == COMMAND || this == QUERY;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
