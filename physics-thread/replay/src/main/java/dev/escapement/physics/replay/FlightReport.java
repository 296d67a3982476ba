package dev.escapement.physics.replay;

import dev.escapement.physics.Simulation;
import dev.escapement.physics.TickFault;
import dev.escapement.physics.TickFault.Reason;
import dev.escapement.physics.usercode.FailureReport;
import java.util.HexFormat;

/**
 * Why a flight recorder has put a file aside, and where it comes from.
 *
 * <p>Immutable; any thread may use it.
 *
 * @param reason the reason
 * @param tick   the tick in which it happened, or before which
 * @param thrown the class of what was thrown; empty if nothing was
 * @param place  the innermost call of that; may be empty
 * @param detail more of it, in words; may be empty
 * @param time   when the file was written, in UTC
 * @param origin the versions of Java, of the operating system and of this library, and what the application has said
 * @see InputLog#report()
 */
public record FlightReport(
        Reason reason, long tick, String thrown, String place, String detail, String time, String origin) {

    static FlightReport of(TickFault fault, String origin) {
        Throwable thrown = fault.thrown();
        StackTraceElement[] trace = thrown == null ? new StackTraceElement[0] : thrown.getStackTrace();
        return new FlightReport(
                fault.reason(),
                fault.tick(),
                thrown == null ? "" : thrown.getClass().getName(),
                trace.length == 0 ? "" : trace[0].toString(),
                thrown == null ? fault.detail() : FailureReport.describe(thrown),
                "",
                origin);
    }

    /** What a file says of where it comes from. */
    static String origin(RunDescription run, Simulation simulation, String text) {
        String version = FlightReport.class.getPackage().getImplementationVersion();
        return run + ", Java " + System.getProperty("java.runtime.version") + " on " + System.getProperty("os.name")
                + " "
                + System.getProperty("os.version") + " " + System.getProperty("os.arch") + ", Escapement "
                + (version == null ? "built from source" : version) + ", "
                + simulation.getClass().getName() + (text.isEmpty() ? "" : ", " + text);
    }

    FlightReport at(String newTime) {
        return new FlightReport(reason, tick, thrown, place, detail, newTime, origin);
    }

    /** Whether the recorder ended before what it is about. */
    boolean isTooEarly() {
        return (reason == Reason.DIED || reason == Reason.ASKED) && !detail.isEmpty();
    }

    /** The same for the same fault, and part of the name of its file. */
    String key() {
        return HexFormat.of().toHexDigits((reason + thrown + place).hashCode());
    }

    /** {@return what happened in which tick, as {@code threw java.lang.IllegalStateException}, without the tick} */
    public String event() {
        return switch (reason) {
            case THREW -> "threw " + thrown.substring(thrown.lastIndexOf('.') + 1);
            case HUNG -> "hung";
            case NOT_FINITE -> "captured a pose that was not finite or not normalised";
            case DIFFERED -> "led to another state than that of the run that was followed";
            case SLOW -> "took too long";
            case DIED ->
                detail.isEmpty()
                        ? "was the last before the process died"
                        : "was the last that was recorded before the process died";
            case ASKED ->
                detail.isEmpty()
                        ? "was the last before the file was asked for"
                        : "was the last that was recorded before the file was asked for";
        };
    }

    @Override
    public String toString() {
        return "tick " + tick + " " + event() + (detail.isEmpty() ? "" : " (" + detail + ")")
                + (time.isEmpty() ? "" : ", written " + time) + "; " + origin;
    }
}
