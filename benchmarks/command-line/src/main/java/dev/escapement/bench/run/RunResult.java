package dev.escapement.bench.run;

import dev.escapement.bench.compare.Baseline;
import dev.escapement.bench.measure.Distribution.Summary;
import dev.escapement.bench.measure.Figure;
import dev.escapement.bench.measure.PictureResult;
import dev.escapement.bench.report.Table;
import dev.escapement.bench.run.RunResult.Recorded;
import dev.escapement.platform.linux.TakenTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * All metrics of a run. The components are named as the keys of the JSON file, which {@code docs/run-json.md} describes. Without a
 * recording, {@code recording} is null, and the file lacks the key; so is {@code modelled} in a run that is too short.
 */
record RunResult(
        String engine,
        int bodies,
        double tickHz,
        double seconds,
        double warmUpSeconds,
        long ticks,
        long expectedTicks,
        long skippedTicks,
        long slowedTicks,
        double lostToTicksMillis,
        double lostToOthersMillis,
        double lostToJvmMillis,
        double lostUnexplainedMillis,
        double pausedMillis,
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
        Summary inputToFrameMicros,
        String windowAdvice,
        String java,
        String threadPolicy,
        String threadPolicyDetails,
        String failure,
        @Nullable Baseline modelled,
        @Nullable Recorded recording) {

    /** The log of a recorded run, read back from the file. {@code failure} says why it does not contain the whole run; empty if it does. */
    record Recorded(String file, long ticks, long bytes, String failure) {}

    /**
     * The share of a tick period up to which the median step is safe. The rest is for the other work of a tick, and for steps slower than
     * the median.
     */
    private static final double SAFE_SHARE = 0.6;

    /**
     * If a hundredth of the time or more was lost, the headline says that the world ran in slow motion. If steps that took too long lost as
     * much, the verdict says to simulate fewer bodies.
     */
    private static final int TOO_SLOW = 100;

    List<String> faults() {
        List<String> faults = new ArrayList<>();
        if (!failure.isEmpty()) {
            faults.add("the run ended early: " + failure);
        }
        if (recording != null && !recording.failure().isEmpty()) {
            faults.add(recording.failure());
        }
        faults.addAll(picture.faults(ticks));
        if (Math.abs(dueTicks() - expectedTicks) > 1) {
            faults.add(ticks + " ticks and " + skippedTicks + " skipped"
                    + (slowedTicks == 0 ? "" : ", " + slowedTicks + " fewer in slow motion,")
                    + " are not the expected " + expectedTicks);
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
        return ticks + skippedTicks + slowedTicks;
    }

    private TakenTime lost() {
        return new TakenTime(
                nanos(lostToTicksMillis),
                nanos(lostToOthersMillis),
                nanos(lostToJvmMillis),
                nanos(lostUnexplainedMillis));
    }

    private double warmSeconds() {
        return Math.max(0, seconds - warmUpSeconds);
    }

    private static long nanos(double millis) {
        return Math.round(millis * 1e6);
    }

    /** The headline for people, in at most nine words: how the picture moved, and what disturbed it. */
    String headline() {
        boolean isSlow = TOO_SLOW * slowedTicks >= dueTicks() && TOO_SLOW * lost().totalNanos() >= 1e9 * warmSeconds();
        String grade = picture.grade();
        if (isSlow) {
            grade = grade.equals("Uneven") ? "Uneven, in slow motion" : "Slow motion";
        }
        boolean isToExplain = !grade.equals(PictureResult.SMOOTH) && !grade.equals(PictureResult.TOO_SHORT);
        String cause = isToExplain ? cause(isSlow) : "";
        return grade + (cause.isEmpty() ? "." : ": " + cause + ".");
    }

    private String cause(boolean isSlow) {
        TakenTime lost = lost();
        if (!isSlow && !lateFrames().isEmpty()) {
            return picture.lateCause(lostToTicksMillis, pausedMillis);
        }
        long most = Math.max(
                Math.max(lost.ticksNanos(), lost.othersNanos()), Math.max(lost.jvmNanos(), lost.unknownNanos()));
        if (most > 0) {
            return most == lost.ticksNanos()
                    ? "steps took too long"
                    : most == lost.othersNanos()
                            ? "no core was free"
                            : most == lost.jvmNanos() ? "the JVM paused" : "why is not known";
        }
        return picture.holds() > 0 && !windowAdvice.isEmpty()
                ? "steps vary too much"
                : picture.lateCause(lostToTicksMillis, pausedMillis);
    }

    /** A sentence about missing frames; empty if they are few, or the lost tick time explains their number. */
    String lateFrames() {
        double missed = picture.visiblyMissedShare();
        return missed == 0 || missed <= 2 * lost().totalNanos() / (1e9 * warmSeconds())
                ? ""
                : "Frames came late: " + picture.lateCause(lostToTicksMillis, pausedMillis)
                        + (picture.renderer().isEmpty() ? "." : "; OpenGL is " + picture.renderer() + ".");
    }

    private List<Figure> figures() {
        List<Figure> figures = new ArrayList<>(picture.figures());
        figures.add(Figure.percent("of real time", 100 * realTimeFactor));
        figures.add(
                inputToFrameMicros.max() > 0
                        ? Figure.millis("event to picture, median", inputToFrameMicros.p50())
                        : Figure.millis(
                                "picture behind the world, median",
                                picture.lookBehindMicros().p50()));
        if (modelled != null) {
            figures.add(Figure.millis(
                    "modelled error, newest snapshot alone",
                    modelled.newestSnapshotErrorMicros().p99()));
            figures.add(Figure.millis(
                    "modelled error, usual loop that nothing disturbs",
                    modelled.usualLoopErrorMicros().p99()));
        }
        return figures;
    }

    private boolean isLate() {
        return tickLatenessMicros.p99() * tickHz >= 1e6;
    }

    String machineVerdict() {
        TakenTime lost = lost();
        long lostNanos = lost.totalNanos();
        String skipped = skippedTicks == 0
                ? ""
                : String.format(
                        Locale.ROOT,
                        " Skipped %s: %,d of %,d ticks.",
                        lostNanos == 0 ? "at the start" : "from the start",
                        skippedTicks,
                        dueTicks());
        if (lostNanos == 0) {
            return String.format(
                            Locale.ROOT,
                            "Machine: %s: ticks started %.2f ms late at the 99th percentile.",
                            isLate()
                                    ? "late, why is not known"
                                    : skipped.isEmpty() ? "kept up" : "kept up after the warm-up",
                            tickLatenessMicros.p99() / 1e3)
                    + skipped;
        }
        boolean tooSlow = lost.ticksNanos() > lostNanos / 2 && TOO_SLOW * lost.ticksNanos() >= 1e9 * warmSeconds();
        return String.format(
                Locale.ROOT,
                "Machine: %s of %.0f s after the warm-up was lost: %s.%s%s",
                Table.duration(lostNanos / 1e3),
                warmSeconds(),
                lost.inPercent(),
                skipped,
                advice(lost, tooSlow));
    }

    private String advice(TakenTime lost, boolean tooSlow) {
        long fitting = Math.max(1, (long) (bodies * SAFE_SHARE * 1e6 / tickHz / Math.max(1, stepMicros.p50())));
        if (tooSlow) {
            return fitting < bodies
                    ? " Try --bodies " + fitting + "."
                    : String.format(Locale.ROOT, " Single steps took up to %,.1f ms.", stepMicros.max() / 1e3);
        }
        long most = Math.max(lost.jvmNanos(), lost.othersNanos());
        if (most <= Math.max(lost.ticksNanos(), lost.unknownNanos())) {
            return "";
        }
        return most == lost.othersNanos()
                ? " Close other programs, or leave it a core."
                : " Allocate less, or choose a collector with short pauses (-XX:+UseZGC).";
    }

    Metrics metrics() {
        String title = String.format(
                Locale.ROOT,
                "%s, %,d bodies: %,d s at %s Hz, for a display of %s Hz",
                engine,
                bodies,
                Math.round(expectedTicks / tickHz),
                Metrics.number(tickHz),
                Metrics.number(picture.fps()));
        String held = "nothing torn, no gap, every deadline and every input accounted for";
        List<String> surroundings = new ArrayList<>(List.of(machineVerdict()));
        if (!lateFrames().isEmpty()) {
            surroundings.add(lateFrames());
        }
        if (picture.holds() > 0 && !windowAdvice.isEmpty()) {
            surroundings.add("In a program of your own: " + windowAdvice + ".");
        }
        boolean isWell = lost().totalNanos() == 0 && !isLate() && surroundings.size() == 1;
        return new Metrics(
                headline(), figures(), title, held, surroundings, isWell, faults(), this, PictureResult.COMPONENT);
    }
}
