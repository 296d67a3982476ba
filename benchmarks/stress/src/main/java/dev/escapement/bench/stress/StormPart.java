package dev.escapement.bench.stress;

import java.util.Locale;
import java.util.function.Function;

/** A part of the storm. */
public enum StormPart {
    /** Readers at 24, 60, 144 and 360 frames a second, one that looks ahead, one that stalls, one that attaches and detaches. */
    READERS(FrameStorm::new),
    /** Input from several threads, up to a million events a second. */
    INPUT(InputStorm::new),
    /** Commands as data, by which a {@link StressedWorld} stresses itself, and as lambdas of which some throw. */
    COMMANDS(CommandStorm::new),

    /** Pauses, single steps, slow and fast motion. */
    TIME(TimeStorm::new),
    /** A recording and a repetition of it. */
    RECORDING(RecordingStorm::of),
    /** A flight recorder. */
    FLIGHT_RECORDER(FlightStorm::new),
    /** Seeks by some seconds, if the world can seek. */
    REWIND(RewindStorm::of),
    /** A listener of ticks that is slow now and then. */
    SLOW_LISTENER(SlowListener::new),
    /** A client over UDP. */
    UDP(UdpStorm::new),
    /** Garbage that other threads make. */
    GARBAGE(GarbageStorm::new),
    /** A process that keeps all cores busy for two seconds, every few seconds. */
    BUSY(BusyStorm::new);

    @SuppressWarnings("ImmutableEnumChecker") // a reference to a constructor or a static method
    private final Function<Life, Part> part;

    StormPart(Function<Life, Part> part) {
        this.part = part;
    }

    /** Creates this part for a life; Part.NONE if an earlier life has shown that the world cannot have it. */
    Part of(Life life) {
        return life.trial.isLeftOut(this) ? Part.NONE : part.apply(life);
    }

    /** {@return the name on the command line: lower case, hyphens} */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
