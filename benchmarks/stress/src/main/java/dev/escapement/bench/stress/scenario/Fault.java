package dev.escapement.bench.stress.scenario;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * A fault.
 *
 * @param act  what happens
 * @param site where it happens
 */
record Fault(Act act, Site site) {

    /** The kinds of faults. */
    enum Act {
        THROW,
        /** The stack overflows. */
        OVERFLOW,
        /** An out-of-memory error. */
        EXHAUST,
        INTERRUPT,
        /** The thread hangs until it is released, and comes back. */
        HANG,
        /** The service is closed from there. */
        CLOSE,
        /** The thread ends without closing anything. */
        LEAVE,
        /** More commands are given than the queue has room for. */
        FLOOD,
        /** Time is paused, stepped by a tick, and resumed. */
        PAUSE
    }

    /** All combinations that make sense. */
    static List<Fault> all() {
        List<Fault> all = new ArrayList<>();
        for (Site site : Site.values()) {
            if (site.isOfPhysicsThread()) {
                add(all, site, Act.THROW, Act.OVERFLOW, Act.EXHAUST, Act.INTERRUPT, Act.HANG, Act.CLOSE);
            }
        }
        add(all, Site.ANSWER, Act.THROW, Act.OVERFLOW, Act.INTERRUPT, Act.HANG, Act.CLOSE);
        add(all, Site.VISIT, Act.THROW, Act.OVERFLOW, Act.CLOSE);
        add(all, Site.READ, Act.LEAVE, Act.INTERRUPT, Act.CLOSE);
        add(all, Site.USE, Act.LEAVE, Act.INTERRUPT, Act.CLOSE, Act.FLOOD, Act.PAUSE);
        return all;
    }

    private static void add(List<Fault> all, Site site, Act... acts) {
        Arrays.stream(acts).map(act -> new Fault(act, site)).forEach(all::add);
    }

    @Override
    public String toString() {
        return act.name().toLowerCase(Locale.ROOT).replace('_', '-') + " in " + site;
    }

    /** Where a fault of a service strikes: a call of foreign code by the library, or a call of the library by foreign code. */
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
        /** A dependent action of a command's future, on the thread that completes it. */
        ANSWER(40, false),
        /** A visitor of events. */
        VISIT(40, false),
        /** A frame of a reading thread. */
        READ(40, false),
        /** A thread that gives commands and input, once a millisecond. */
        USE(40, false);

        /** The last call that a fault may strike. */
        final int lastMoment;

        /** Whether the service fails if the call throws. */
        final boolean fails;

        Site(int lastMoment, boolean fails) {
            this.lastMoment = lastMoment;
            this.fails = fails;
        }

        /** Whether the call ends something. */
        boolean isEnd() {
            return this == END || this == DEVICE_END;
        }

        /** Whether the call is on the physics thread, so that the service fails if it hangs. */
        boolean isOfPhysicsThread() {
            return fails || this == COMMAND || this == QUERY;
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }
}
