package dev.escapement.bench.stress.trial;

import java.util.Locale;

/** What the library promises on any machine. A scenario that finds one broken has found a fault of the library. */
public enum Promise {
    WHOLE("no snapshot changes while a reader holds it"),
    CONSECUTIVE("every window holds consecutive ticks"),
    FORWARDS("no window is older than the one before it"),
    FRESH("no window is older than what was published before it was asked for"),
    AS_SIMULATED("every body stands where an independent model says"),
    ACCOUNTED("every deadline was met, or skipped and counted"),
    NEVER_ON_THE_WAY("a body that jumps is never drawn on the way"),
    MOVES_ON("a body that jumps while it moves is drawn moving on, from where it was plus the jump"),
    NUMBERED("ticks are numbered one after the other"),
    NEVER_EARLY("no tick starts before it is due"),
    INPUT_ONCE("every input event that is accepted reaches one tick, once"),
    INPUT_ORDER("the input of one producer arrives in its order, that of a tick in the order of time"),
    INPUT_SUMS("what producers were told, what the ring counted and what arrived add up"),
    TICKS_GO_ON("ticks go on, no matter what other threads do"),
    COMMANDS_IN_ORDER("every command runs once at most, after those that its thread gave before"),
    ANSWERED("every future is completed, with the right answer or with why there is none"),
    COMMAND_SUMS("commands that ran, were refused and came to an end with the service add up to those given"),
    CAUSE_REPORTED("a service that fails says so, and what the cause was"),
    HANDED_OUT_ONCE("every event of a body is handed out once, in order, also to a visitor that throws"),
    CLOSED_ONCE("what belongs to a service is closed once"),
    THREADS_END("every thread of a service ends when it is closed"),
    LIFECYCLE_REPORTED("every body that comes or goes is told of once, or counted as missed"),
    READERS_COME_BACK("the place of every reader that was closed, or whose thread has ended, can be taken again"),
    ENDS_IN_TIME("to close a service takes a bounded time, also when something hangs"),
    ABANDONED_UNHEARD("what an abandoned thread does has no effect"),
    TRUE_OR_FLAGGED(
            "what is shown of a remote world is as it was there, within the bounds, or says that it is predicted"),
    WHOLE_AGAIN("when all is well again, a remote world soon is shown as it is, and on time");

    private final String says;

    Promise(String says) {
        this.says = says;
    }

    /** The promise, in a sentence without a full stop. */
    public String says() {
        return says;
    }

    /** The key in files. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
