package dev.escapement.bench.stress;

import java.util.Locale;

/** The library's promises, which hold on any machine. If a scenario finds one broken, the library has a fault. */
enum Promise {
    WHOLE("no snapshot changes while a reader holds it"),
    CONSECUTIVE("every window holds consecutive ticks"),
    FORWARDS("no window is older than the previous one"),
    FRESH("no window is older than the tick published before acquiring it"),
    INPUT_ONCE("every input event that is accepted reaches one tick, once"),
    INPUT_ORDER("the input of one producer arrives in its order, that of a tick in the order of time"),
    INPUT_SUMS("the counts of producers, of the ring and of arrivals add up"),
    COMMANDS_IN_ORDER("every command runs at most once, after the previous ones of its thread"),
    ANSWERED("every future is completed, with the right answer or with a failure"),
    COMMAND_SUMS("commands that ran, were refused and failed at the end of the service add up to those given"),
    THREADS_END("every thread of a service ends when it is closed"),
    READERS_COME_BACK("the place of every reader that was closed, or whose thread has ended, can be used again"),

    // Checking the promises below needs a model of the world, or planted failures.
    AS_SIMULATED("every body has the place of an independent model"),
    TICKS_CONTINUE("ticks continue, no matter what other threads do"),
    CAUSE_REPORTED("a service that fails reports it, with the cause"),
    CLOSED_ONCE("every object that a service owns is closed once"),
    LIFECYCLE_REPORTED("every spawn and despawn is reported once, or counted as missed"),
    ENDS_IN_TIME("closing a service takes a bounded time, also when something hangs"),
    ABANDONED_UNHEARD("actions of an abandoned thread have no effect"),
    FILE_LEFT("every failure leaves one file that can be read, even if the process dies"),
    REPEATED("another process repeats a failure from its file alone, and runs through where it was killed"),

    TICKS_ADD_UP("ticks that ran, and time that was skipped or slowed down, add up to the time that passed"),
    EVENTS_MATCH("the events of bodies match the snapshots"),
    SAME_AGAIN("a second run of the same log has the same states"),
    ALLOCATES_NOTHING("ticks and frames allocate nothing beside the code of the world"),
    HANDLES_CLOSED("every file and socket of a service is closed with it"),
    MEMORY_FLAT("memory does not grow"),
    LOG_EXPLAINED("nothing is logged that the storm does not explain"),
    BLAMED("the time of a late tick is blamed on what took it"),
    WORLDS_ONE_BY_ONE("each world of a host ticks on one thread at a time, one tick after the other"),
    WORLDS_ISOLATED("a world that throws, hangs, is slow or ends takes no tick from the other worlds of its host"),
    WORLDS_LEAVE("a world that has ended is closed once, and its host no longer has it");

    private final String says;

    Promise(String says) {
        this.says = says;
    }

    /** {@return the promise, in a sentence without a full stop} */
    String says() {
        return says;
    }

    /** {@return the promise's key in files and options} */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
