package dev.escapement.bench.run;

import dev.escapement.bench.measure.Distribution.Summary;
import dev.escapement.bench.measure.GivenUpTicks;
import dev.escapement.bench.view.WorldTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Everything a run measured, under the names of the JSON file's keys.
 *
 * @param engine                the simulation that ran
 * @param bodies                bodies in it
 * @param tickHz                ticks per second asked for
 * @param seconds               how long it ran
 * @param snapshots             K, snapshots in a window
 * @param warmUpSeconds         the start that distributions, allocation and CPU leave out
 * @param ticks                 ticks run
 * @param expectedTicks         ticks due in that time
 * @param givenUpTicks          deadlines given up because ticks took too long
 * @param slowGivenUpTicks      those of them that were given up because a tick took longer than a period by itself
 * @param unexplainedGivenUpTicks those that neither a tick's own time nor the machine explains
 * @param machineAwayMillis     how long at least one core was taken away by other programs, a hypervisor, collections or safepoints
 * @param timeFactor            simulated time over real time
 * @param picture               how they were shown
 * @param quarantinedPoses      poses that were not finite
 * @param inputsOffered         events offered by the player
 * @param inputsAccepted        events the ring took
 * @param inputsApplied         events applied within a step
 * @param inputsPending         events accepted that belonged to no tick when the run ended
 * @param inputsRejected        events refused because the ring was full
 * @param allocatedBytesPerTick bytes the physics thread allocated per tick, the engine's binding included
 * @param physicsCorePercent    processor time of the physics thread, as a share of one core
 * @param stateHash             hash of the engine's state after the last tick, hexadecimal
 * @param tickLatenessMicros    start of a tick after it was due
 * @param stepMicros            the simulation's step
 * @param publishDelayMicros    publishing of a tick after it was due
 * @param inputToSnapshotMicros from an event's stamp to the publishing of the snapshot that includes it
 * @param inputBeyondBoundMicros by how much the slowest event missed one tick and its tick's publish delay, negative if none did
 * @param inputToFrameMicros    from an event's stamp to the end of the drawing of the first frame it shows in
 * @param clockStepNanos        smallest step of the clock
 * @param shortestParkNanos     shortest time that a thread could be parked for
 * @param java                  the JVM it ran on
 * @param failure               what the simulation or the renderer threw, empty if nothing
 * @param recording             its log, null (and not in the file) if none was asked for
 * @param timeControl           what was done to time in a window, null (and not in the file) if nothing
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
        long givenUpTicks,
        long slowGivenUpTicks,
        long unexplainedGivenUpTicks,
        double machineAwayMillis,
        double timeFactor,
        PictureResult picture,
        long quarantinedPoses,
        long inputsOffered,
        long inputsAccepted,
        long inputsApplied,
        long inputsPending,
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
        long clockStepNanos,
        long shortestParkNanos,
        String java,
        String failure,
        @Nullable Recorded recording,
        @Nullable TimeControl timeControl) {

    /**
     * The log of a recorded run.
     *
     * @param file    where the log is
     * @param ticks   how many ticks it has, read back from the file
     * @param bytes   how long it is
     * @param failure why it is not the whole run, empty if it is
     */
    record Recorded(String file, long ticks, long bytes, String failure) {}

    /**
     * A run in which somebody let time stand still, go tick by tick, or run at another speed. The ticks expected are those that became due by
     * that, and each change may add or take {@link WorldTime#TICKS_PER_CHANGE}, because it waits for the end of a tick.
     *
     * @param changes           how often
     * @param inputsWhilePaused events accepted while time stood still, which belong to no tick
     */
    record TimeControl(int changes, long inputsWhilePaused) {}

    /** A step that takes this part of a period at p99 leaves room for the rest of a tick, and for a slower moment. */
    private static final double SAFE_SHARE = 0.6;

    /**
     * What the library promises on any machine and this run broke.
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
        int changes = timeControl == null ? 0 : timeControl.changes();
        if (Math.abs(ticks + givenUpTicks - expectedTicks) > 1 + WorldTime.TICKS_PER_CHANGE * changes) {
            faults.add(ticks + " ticks and " + givenUpTicks + " given up are not the expected " + expectedTicks);
        }
        if (unexplainedGivenUpTicks != 0) {
            faults.add(unexplainedGivenUpTicks + (unexplainedGivenUpTicks == 1 ? " tick was" : " ticks were")
                    + " given up although the machine was there and no tick took too long");
        }
        long whilePaused = timeControl == null ? 0 : timeControl.inputsWhilePaused();
        if (inputsAccepted != inputsApplied + inputsPending + whilePaused) {
            faults.add(inputsAccepted + " inputs accepted are not " + inputsApplied + " applied and " + inputsPending
                    + " pending" + (timeControl == null ? "" : " and " + whilePaused + " while time stood still"));
        }
        if (inputsOffered != inputsAccepted + inputsRejected) {
            faults.add(inputsOffered + " inputs offered are not " + inputsAccepted + " accepted and " + inputsRejected
                    + " rejected");
        }
        return faults;
    }

    String libraryVerdict() {
        return SummaryTable.libraryVerdict(
                faults(), "nothing torn, no gap, every deadline and every input accounted for");
    }

    /** How this machine did, and what to do where it was not good enough. */
    String machineVerdict() {
        return "Machine: " + howMachineDid() + ".";
    }

    private String howMachineDid() {
        long machineGivenUp = givenUpTicks - slowGivenUpTicks - unexplainedGivenUpTicks;
        if (slowGivenUpTicks > machineGivenUp) {
            double periodMicros = 1e6 / tickHz;
            long fitting = Math.max(1, (long) (bodies * SAFE_SHARE * periodMicros / Math.max(1, stepMicros.p99())));
            return String.format(
                    Locale.ROOT,
                    "too slow here: %.0f %% of real time; try --bodies %d",
                    100 * timeFactor,
                    Math.min(fitting, Math.max(1, bodies - 1)));
        }
        if (givenUpTicks > 0) {
            return GivenUpTicks.Reasons.whileAway(machineGivenUp, givenUpTicks, slowGivenUpTicks, machineAwayMillis);
        }
        return String.format(
                Locale.ROOT,
                "kept up: no tick given up, ticks started %,.0f us late at p99; it was away for %,.0f ms in all",
                tickLatenessMicros.p99(),
                machineAwayMillis);
    }
}
