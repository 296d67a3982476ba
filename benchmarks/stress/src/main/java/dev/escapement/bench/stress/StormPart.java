package dev.escapement.bench.stress;

import java.util.Locale;
import java.util.function.Function;

/** A part of the storm. */
public enum StormPart {
    /** Readers at 24, 60, 144 and 360 frames a second, one that looks ahead, one that stalls, one that comes and goes. */
    READERS(FrameStorm::new),
    /** Input from several threads, up to a million events a second. */
    INPUT(InputStorm::new),
    /** Commands as data, by which a {@link StressedWorld} stresses itself, and as lambdas of which some throw. */
    COMMANDS(CommandStorm::new),

    /** Pauses, single steps, slow and fast motion. */
    TIME(TimeStorm::new),
    /** A recording, and a second run of it. */
    RECORDING(RecordingStorm::of),
    /** A flight recorder. */
    FLIGHT_RECORDER(FlightStorm::new),
    /** Going back some seconds, if the world can. */
    REWIND(RewindStorm::of),
    /** A listener of ticks that is slow now and then. */
    SLOW_LISTENER(SlowListener::new),
    /** A client over UDP. */
    UDP(UdpStorm::new),
    /** Garbage that other threads make. */
    GARBAGE(GarbageStorm::new),
    /** A process that keeps all cores busy now and then. */
    BUSY(BusyStorm::new);

    @SuppressWarnings("ImmutableEnumChecker") // a constructor or a static method, which is
    private final Function<Life, Part> part;

    StormPart(Function<Life, Part> part) {
        this.part = part;
    }

    /** Makes this part for a life; none if an earlier life has shown that the world cannot have it. */
    Part of(Life life) {
        return life.trial.isLeftOut(this) ? Part.NONE : part.apply(life);
    }

    /** {@return its name on the command line: lower case, hyphens} */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
