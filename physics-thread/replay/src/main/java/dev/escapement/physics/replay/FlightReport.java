package dev.escapement.physics.replay;

import dev.escapement.physics.spi.TickHook.Fault.Reason;

/**
 * The reason for which a flight recorder archived a file, and the origin of that file.
 *
 * <p>Immutable; any thread may use it.
 *
 * @param reason the reason
 * @param tick   the tick that failed; for a failed command, the tick before which the command ran
 * @param thrown the class of the throwable; empty if nothing was thrown
 * @param place  the innermost call of the throwable's stack; may be empty
 * @param detail details in words; may be empty
 * @param time   when the file was written, in UTC
 * @param origin the versions of Java, of the operating system and of this library
 * @see dev.escapement.physics.replay.log.InputLog#report()
 */
public record FlightReport(
        Reason reason, long tick, String thrown, String place, String detail, String time, String origin) {

    /** {@return the event in words, for example {@code threw IllegalStateException}} */
    public String event() {
        return switch (reason) {
            case THREW -> "threw " + thrown.substring(thrown.lastIndexOf('.') + 1);
            case HUNG -> "hung";
            case NOT_FINITE -> "captured a pose that was not finite or not normalised";
            case DIFFERED -> "led to another state than in the source log";
            case DIED -> "was the last before the process died";
            case ASKED -> "was the last before the file was asked for";
        };
    }

    @Override
    public String toString() {
        return "tick " + tick + " " + event() + (detail.isEmpty() ? "" : " (" + detail + ")")
                + (time.isEmpty() ? "" : ", written " + time) + "; " + origin;
    }
}
