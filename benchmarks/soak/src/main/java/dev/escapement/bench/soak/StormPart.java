package dev.escapement.bench.soak;

import java.util.Locale;

/** A part of the storm. */
public enum StormPart {
    /** Readers at 24, 60, 144 and 360 frames a second, one that looks ahead, one that stalls, one that comes and goes. */
    READERS("readers at 24 to 360 frames a second, one that stalls, one that comes and goes"),
    /** Input from several threads, up to a million events a second. */
    INPUT("input from several threads, up to a million events a second"),
    /** Commands as data, and as lambdas of which some throw. */
    COMMANDS("commands as data, and as lambdas of which some throw"),
    /** Pauses, single steps, slow and fast motion. */
    TIME("pauses, single steps, slow and fast motion"),
    /** Teleports, and bodies that come and go, by {@link StressedWorld#stress}. */
    BODIES("teleports, and bodies that come and go"),
    /** A listener of ticks that is slow now and then. */
    SLOW_LISTENER("a listener that is slow now and then"),
    /** Going back some seconds, if the world can. */
    REWIND("going back, if the world can"),
    /** A recording, and a second run of it. */
    RECORDING("a recording, and a second run of it"),
    /** A flight recorder. */
    FLIGHT_RECORDER("a flight recorder"),
    /** A live page with a client. */
    PAGE("a live page with a client"),
    /** A client over UDP, with loss. */
    UDP("a client over UDP that loses packets"),
    /** Garbage that other threads make. */
    GARBAGE("garbage that other threads make"),
    /** A process that keeps all cores busy now and then. */
    BUSY("a process that keeps all cores busy now and then");

    private final String says;

    StormPart(String says) {
        this.says = says;
    }

    /** {@return what it does, in a few words} */
    public String says() {
        return says;
    }

    /** {@return its name on the command line: lower case, hyphens} */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
