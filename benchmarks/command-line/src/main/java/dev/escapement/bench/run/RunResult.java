package dev.escapement.bench.run;

import dev.escapement.bench.measure.Distribution.Summary;
import dev.escapement.bench.measure.PictureResult;
import dev.escapement.bench.report.Table;
import dev.escapement.bench.run.RunResult.Recorded;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * All metrics of a run, named as the JSON file's keys, which {@code docs/run-json.md} describes. {@code recording} is null, and not in the
 * file, if there was none.
 */
record RunResult(
        String engine,
        int bodies,
        double tickHz,
        double seconds,
        int snapshots,
        double warmUpSeconds,
        long ticks,
        long expectedTicks,
        long skippedTicks,
        long slowSkippedTicks,
        long unexplainedSkippedTicks,
        double machineAwayMillis,
        double realTimeFactor,
        PictureResult picture,
        long quarantinedPoses,
        long inputsOffered,
        long inputsAccepted,
        long inputsApplied,
        long inputsPending,
        long inputsWhilePaused,
        long inputsRejected,
        double allocatedBytesPerTick,
        double physicsCorePercent,
        String stateHash,
        Summary tickLatenessMicros,
        Summary stepMicros,
        Summary publishDelayMicros,
        Summary inputToSnapshotMicros,
        double inputBeyondBoundMicros,
        Summary inputToFrameMicros,
        String java,
        String threadPolicy,
        String threadPolicyDetails,
        String failure,
        @Nullable Recorded recording) {

    /**
     * The log of a recorded run.
     *
     * @param file    where the log is
     * @param ticks   how many ticks it has, read back from the file
     * @param bytes   how long it is
     * @param failure why it is not the whole run, empty if it is
     */
    record Recorded(String file, long ticks, long bytes, String failure) {}

    /** A step that takes this part of a period at p99 leaves room for the rest of a tick, and for slower steps. */
    private static final double SAFE_SHARE = 0.6;

    /** A machine is too slow if one tick in this many, or more, is lost because ticks took too long. */
    private static final int TOO_SLOW = 100;

    /** The promises of the library that this run broke. Returns one sentence per broken promise, none if all held. */
    List<String> faults() {
        List<String> faults = new ArrayList<>();
        if (!failure.isEmpty()) {
            faults.add("the run ended early: " + failure);
        }
        if (recording != null && !recording.failure().isEmpty()) {
            faults.add(recording.failure());
        }
        faults.addAll(picture.faults(ticks));
        if (Math.abs(ticks + skippedTicks - expectedTicks) > 1) {
            faults.add(ticks + " ticks and " + skippedTicks + " skipped are not the expected " + expectedTicks);
        }
        if (inputsAccepted != inputsApplied + inputsPending + inputsWhilePaused) {
            faults.add(inputsAccepted + " inputs accepted are not " + inputsApplied + " applied, " + inputsPending
                    + " pending and " + inputsWhilePaused + " while time stood still");
        }
        if (inputsOffered != inputsAccepted + inputsRejected) {
            faults.add(inputsOffered + " inputs offered are not " + inputsAccepted + " accepted and " + inputsRejected
                    + " rejected");
        }
        return faults;
    }

    private long dueTicks() {
        return ticks + skippedTicks;
    }

    /** Ticks that were skipped while a core was away: the remainder. */
    private long awayTicks() {
        return skippedTicks - slowSkippedTicks - unexplainedSkippedTicks;
    }

    /** Whether the picture was smooth, and how many ticks were skipped: what a person wants to know first. */
    String answer() {
        if (skippedTicks == 0) {
            return picture.answer() + " No tick was skipped.";
        }
        String why = skippedTicks == awayTicks()
                ? " while a core was away"
                : skippedTicks == slowSkippedTicks
                        ? " because ticks took too long"
                        : counted(", %,d of them while a core was away", awayTicks());
        return String.format(
                Locale.ROOT, "%s %,d of %,d ticks were skipped%s.", picture.answer(), skippedTicks, dueTicks(), why);
    }

    /** What other programs and slow ticks did to the run, and what helps. */
    String machineVerdict() {
        String away = "other programs, the host or a pause of the JVM had a core for "
                + Table.duration(1e3 * machineAwayMillis);
        if (skippedTicks == 0) {
            return String.format(
                    Locale.ROOT,
                    "Machine: kept up: ticks started %.2f ms late at the 99th percentile; %s.",
                    tickLatenessMicros.p99() / 1e3,
                    away);
        }
        boolean tooSlow = slowSkippedTicks > awayTicks() && TOO_SLOW * slowSkippedTicks >= dueTicks();
        long fitting = Math.max(1, (long) (bodies * SAFE_SHARE * 1e6 / tickHz / Math.max(1, stepMicros.p99())));
        String advice = !tooSlow
                ? awayTicks() > 0 ? " Close other programs, or leave it a core." : ""
                : fitting < bodies
                        ? " Try --bodies " + fitting + "."
                        : String.format(Locale.ROOT, " Single steps took up to %,.1f ms.", stepMicros.max() / 1e3);
        return "Machine: "
                + (tooSlow ? "too slow here: " + 100 * ticks / dueTicks() + " % of real time; " : "")
                + away
                + counted("; %,d ticks were skipped in that time", awayTicks())
                + counted("; %,d were skipped because ticks took too long", slowSkippedTicks)
                + counted("; %,d were skipped for an unknown reason", unexplainedSkippedTicks)
                + "."
                + advice;
    }

    private static String counted(String format, long ticks) {
        return ticks == 0 ? "" : String.format(Locale.ROOT, format, ticks);
    }

    /** The metrics for people. */
    Metrics metrics() {
        String headline = String.format(
                Locale.ROOT,
                "%s, %,d bodies: %,d s at %s Hz, shown at %s frames a second",
                engine,
                bodies,
                Math.round(expectedTicks / tickHz),
                Metrics.number(tickHz),
                Metrics.number(picture.fps()));
        String held = "nothing torn, no gap, every deadline and every input accounted for";
        return new Metrics(answer(), headline, held, machineVerdict(), faults(), this, PictureResult.COMPONENT);
    }
}
