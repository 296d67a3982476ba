package dev.escapement.bench.stress;

import java.util.Locale;
import java.util.function.Function;

/** A part of the storm. */
public enum StormPart {
    /** Readers at 24, 60, 144 and 360 frames a second, one that looks ahead, one that stalls, one that attaches and detaches. */
    READERS(FrameStorm::new),
    /** Numbered input events from several threads, up to a million per second, and keys. */
    INPUT(InputStorm::new),
    /** Numbered commands: some as data, by which a {@link StressedWorld} stresses itself, some as lambdas, a few of which throw. */
    COMMANDS(CommandStorm::new),

    /** Pauses, single steps, and slow and fast simulated time. */
    TIME(TimeStorm::new),
    /** A recording, whose log is replayed in some lives. */
    RECORDING(RecordingStorm::of),
    /** A flight recorder. */
    FLIGHT_RECORDER(FlightStorm::new),
    /** Seeks back by some seconds, if the world can seek. */
    REWIND(RewindStorm::of),
    /** A listener of ticks that now and then is slow. */
    SLOW_LISTENER(SlowListener::new),
    /** A UDP server and a client of it. */
    UDP(UdpStorm::new),
    /** Threads that allocate garbage, so that the JVM collects. */
    GARBAGE(GarbageStorm::new),
    /** A process that keeps all cores busy for two seconds, again and again. */
    BUSY(BusyStorm::new);

    @SuppressWarnings("ImmutableEnumChecker") // a reference to a constructor or a static method
    private final Function<Life, Part> part;

    StormPart(Function<Life, Part> part) {
        this.part = part;
    }

    /** Creates this part for a life. Returns {@code Part.NONE} if an earlier life has shown that the world cannot have this part. */
    Part of(Life life) {
        return life.trial.isLeftOut(this) ? Part.NONE : part.apply(life);
    }

    /** {@return the name on the command line, in lower case with hyphens} */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
