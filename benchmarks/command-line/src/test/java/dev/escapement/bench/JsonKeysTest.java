package dev.escapement.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The keys of the JSON file of a run. Those of {@code compare} and {@code stress} are compared where their results can be made up. */
class JsonKeysTest {

    private static final String RUN = """
            allocatedBytesPerFrame
            allocatedBytesPerTick
            bodies
            clockStepNanos
            engine
            expectedTicks
            failure
            fps
            frameIntervalMicros: Summary
            frames
            givenUpTicks
            holds
            inputBeyondBoundMicros
            inputToFrameMicros: Summary
            inputToSnapshotMicros: Summary
            inputsAccepted
            inputsApplied
            inputsOffered
            inputsPending
            inputsRejected
            java
            lookBehindMicros: Summary
            machineAwayMillis
            misplacedFrames
            missedFrameSlots
            nonConsecutiveWindows
            physicsCorePercent
            positionErrorMicrometres: Summary
            publishDelayMicros: Summary
            quarantinedPoses
            realErrorMicros: Summary
            recording
            recording.bytes
            recording.failure
            recording.file
            recording.ticks
            rotationErrorMicroradians: Summary
            seconds
            shortestParkNanos
            slotErrorMicros: Summary
            slowGivenUpTicks
            snapshots
            stateHash
            stepMicros: Summary
            tickHz
            tickLatenessMicros: Summary
            ticks
            timeFactor
            tornSnapshots
            uncountedRepeats
            unexplainedGivenUpTicks
            warmUpSeconds
            windowsChecked""";

    @TempDir
    private Path folder;

    @Test
    void shouldWriteTheKnownKeysOfARun() throws Exception {
        Executed run = Executed.of(
                "run",
                "--engine",
                "spring",
                "--bodies",
                3,
                "--seconds",
                1,
                "--record",
                folder.resolve("log"),
                "--out",
                folder);
        assertThat(run.err()).isEmpty();
        assertThat(JsonKeys.of(Files.readString(folder.resolve("run.json")))).isEqualTo(JsonKeys.listed(RUN));
    }
}
