package dev.escapement.bench.run;

import dev.escapement.bench.measure.Distribution.Summary;
import dev.escapement.bench.measure.PictureResult;
import dev.escapement.bench.measure.SkippedTicks.Reasons;
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
        int seconds,
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

    /**
     * The promises of the library that this run broke.
     *
     * @return one sentence per broken promise, none if all held
     */
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
        if (reasons().machine() < 0) { // the remainder
            faults.add(slowSkippedTicks + unexplainedSkippedTicks + " due times or more passed between ticks, but only "
                    + skippedTicks + " are reported as skipped");
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

    private Reasons reasons() {
        return new Reasons(
                slowSkippedTicks, skippedTicks - slowSkippedTicks - unexplainedSkippedTicks, unexplainedSkippedTicks);
    }

    /** How this machine did, and what to do if it was too slow. */
    String machineVerdict() {
        if (skippedTicks == 0) {
            return String.format(
                    Locale.ROOT,
                    "Machine: kept up: no tick skipped, ticks started %,.0f us late at p99; it was away for %,.0f ms in all.",
                    tickLatenessMicros.p99(),
                    machineAwayMillis);
        }
        double periodMicros = 1e6 / tickHz;
        long fitting = Math.max(1, (long) (bodies * SAFE_SHARE * periodMicros / Math.max(1, stepMicros.p99())));
        String advice = fitting < bodies
                ? "try --bodies " + fitting
                : String.format(Locale.ROOT, "single steps took up to %,.1f ms", stepMicros.max() / 1e3);
        return reasons().machineVerdict(ticks + skippedTicks, machineAwayMillis, advice);
    }

    /** The metrics for people. */
    Metrics metrics() {
        String headline = String.format(
                Locale.ROOT,
                "%s, %,d bodies: %d s at %s Hz, shown at %s frames a second, windows of %d snapshots",
                engine,
                bodies,
                seconds,
                Metrics.number(tickHz),
                Metrics.number(picture.fps()),
                snapshots);
        String held = "nothing torn, no gap, every deadline and every input accounted for";
        return new Metrics(headline, held, machineVerdict(), faults(), this, PictureResult.COMPONENT);
    }
}
