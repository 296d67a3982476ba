package dev.escapement.physics.replay.flight;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.PushedMasses;
import dev.escapement.physics.replay.FlightReport;
import dev.escapement.physics.replay.format.LogHeader;
import dev.escapement.physics.replay.log.InputLog;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.physics.spi.TickFault.Reason;
import dev.escapement.state.input.RecordedInput;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a flight recorder has of a run that goes back, and whose state no other simulation can begin with. */
@Timeout(60)
class FlightReturnsTest {

    /** For more ticks than returns that fit where no tick does: one is written only where there would be room for 18 KB. */
    private static final int FILE_BYTES = 1 << 17;

    private static final int STATE_TICKS = 20;

    @TempDir
    Path folder;

    private final PushedMasses masses = new PushedMasses(3) {
        @Override
        public boolean restoresElsewhere() {
            return false;
        }
    };

    private FlightRing ring;
    private FlightWriter writer;
    private final RecordedInput input = new RecordedInput();
    private long tick;

    @BeforeEach
    void begin() throws IOException {
        input.begin(FailingMasses.RUN.rate().nanosAt(1));
        ring = FlightRing.lock(folder);
        ring.create(FILE_BYTES);
        LogHeader header = LogHeader.ofFlight(FailingMasses.RUN, masses, "");
        writer = new FlightWriter(ring, header, masses, STATE_TICKS, Runnable::run);
    }

    @AfterEach
    void end() throws IOException {
        ring.end(false);
    }

    private void runTo(long last) throws IOException {
        while (tick < last) {
            tick++;
            writer.begin(Tick.of(FailingMasses.RUN.rate(), tick, 0, 0, input.frame(), false));
            writer.end(tick);
        }
    }

    private void goBack(long to) throws IOException {
        writer.sought(to);
        tick = to;
    }

    private FlightPart newest() throws IOException {
        List<FlightPart> parts = parts();
        return parts.get(parts.size() - 1);
    }

    private List<FlightPart> parts() throws IOException {
        List<FlightPart> parts = new ArrayList<>();
        ring.copy(ring.files(), parts::addAll);
        return parts;
    }

    private void runUntilTheStartIsLost() throws IOException {
        runTo(1);
        while (newest().start().number() <= FlightRing.FILES + 1) {
            runTo(tick + 200);
        }
    }

    @Test
    void shouldHaveTicksAfterAReturnBeforeItsPart() throws IOException {
        runUntilTheStartIsLost();
        runTo(tick + 5);
        long begun = newest().start().tick();
        long undone = tick - (begun - 40);
        goBack(begun - 40);
        runTo(begun - 30);
        assertThat(newest().lastTick()).isEqualTo(begun - 30);
        runTo(begun + 10);
        List<FlightPart> parts = parts();
        assertThat(newest().lastTick()).isEqualTo(begun + 10);
        assertThat(parts).as("without a gap").hasSizeGreaterThan(1);

        Path file = folder.resolve("kept.esclog");
        FlightReport report = new FlightReport(Reason.ASKED, tick, "", "", "", "", "");
        ring.copy(ring.files(), kept -> FlightFiles.write(file, kept, report));
        assertThat(InputLog.open(file).lastPosition()).as("as readers count").isEqualTo(tick + undone);
    }

    @Test
    void shouldGoOnWithoutRoomForTheReturn() throws IOException {
        while (tick < 3_000 || ring.room() > 19_000) {
            runTo(tick + 1);
        }
        for (long room = Long.MAX_VALUE; ring.room() < room; ) {
            room = ring.room();
            goBack(tick - 1);
        }
        assertThat(newest().lastTick()).isEqualTo(tick);
        long last = tick;
        runTo(last + 10);
        assertThat(newest().lastTick()).isEqualTo(last + 10);
        assertThat(parts().get(0).start().tick()).as("nothing is missing").isZero();
    }
}
