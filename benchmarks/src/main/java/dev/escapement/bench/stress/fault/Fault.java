package dev.escapement.bench.stress.fault;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Something that goes wrong.
 *
 * @param act  what
 * @param site where
 */
record Fault(Act act, Site site) {

    /** What can go wrong. */
    enum Act {
        /** An exception is thrown. */
        THROW,
        /** The stack overflows. */
        OVERFLOW,
        /** There is no memory. */
        EXHAUST,
        /** The thread is interrupted. */
        INTERRUPT,
        /** The thread stays until it is released, and comes back. */
        HANG,
        /** The service is closed from there. */
        CLOSE,
        /** The service is restarted from there, whether or not it has failed. */
        RESTART,
        /** The thread ends, and leaves all that it has as it is. */
        LEAVE,
        /** More commands are given than there is room for. */
        FLOOD,
        /** Time is stopped, let pass a tick, and let go on. */
        PAUSE,
        /** Input is offered at the end of the stack. */
        OFFER_DEEP,
        /** A command is given at the end of the stack. */
        COMMAND_DEEP,
        /** The service is restarted at the end of the stack. */
        RESTART_DEEP
    }

    /** All that make sense. */
    static List<Fault> all() {
        List<Fault> all = new ArrayList<>();
        for (Site site : Site.values()) {
            if (site.isOfPhysicsThread()) {
                add(all, site, Act.THROW, Act.OVERFLOW, Act.EXHAUST, Act.INTERRUPT, Act.HANG, Act.CLOSE);
            }
        }
        add(all, Site.END, Act.RESTART);
        add(all, Site.ANSWER, Act.THROW, Act.OVERFLOW, Act.INTERRUPT, Act.HANG, Act.CLOSE, Act.RESTART);
        add(all, Site.VISIT, Act.THROW, Act.OVERFLOW, Act.CLOSE);
        add(all, Site.READ, Act.LEAVE, Act.INTERRUPT, Act.CLOSE);
        add(all, Site.USE, Act.LEAVE, Act.INTERRUPT, Act.CLOSE, Act.RESTART, Act.FLOOD, Act.PAUSE);
        add(all, Site.USE, Act.OFFER_DEEP, Act.COMMAND_DEEP);
        add(all, Site.RESTART, Act.INTERRUPT, Act.CLOSE, Act.RESTART_DEEP);
        return all;
    }

    private static void add(List<Fault> all, Site site, Act... acts) {
        Arrays.stream(acts).map(act -> new Fault(act, site)).forEach(all::add);
    }

    @Override
    public String toString() {
        return act.name().toLowerCase(Locale.ROOT).replace('_', '-') + " in " + site;
    }
}
