package dev.escapement.bench.soak;

import java.util.Locale;

/** A part of the storm. */
public enum StormPart {
    /** Readers at 24, 60, 144 and 360 frames a second, one that looks ahead, one that stalls, one that comes and goes. */
    READERS,
    /** Input from several threads, up to a million events a second. */
    INPUT,
    /** Commands as data, and as lambdas of which some throw. */
    COMMANDS,
    /** Pauses, single steps, slow and fast motion. */
    TIME,
    /** Teleports, and bodies that come and go, by {@link StressedWorld#stress}. */
    BODIES,
    /** A listener of ticks that is slow now and then. */
    SLOW_LISTENER,
    /** Going back some seconds, if the world can. */
    REWIND,
    /** A recording, and a second run of it. */
    RECORDING,
    /** A flight recorder. */
    FLIGHT_RECORDER,
    /** A live page with a client. */
    PAGE,
    /** A client over UDP, with loss. */
    UDP,
    /** Garbage that other threads make. */
    GARBAGE,
    /** A process that keeps all cores busy now and then. */
    BUSY;

    /** {@return its name on the command line: lower case, hyphens} */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
