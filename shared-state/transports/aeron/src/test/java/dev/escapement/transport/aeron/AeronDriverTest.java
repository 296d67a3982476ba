package dev.escapement.transport.aeron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.aeron.Aeron;
import io.aeron.CncFileDescriptor;
import io.aeron.driver.MediaDriver;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.agrona.concurrent.EpochClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AeronDriverTest {

    /** Set forward, it would make a driver take its clients for dead; set back, who looks for a driver would not find it. */
    @Test
    void shouldNotNoticeThatTheClockOfTheMachineIsSet() {
        long[] machineMillis = {1_000_000_000_000L};
        EpochClock clock = new SteadyClock(System::nanoTime, () -> machineMillis[0]);
        long before = clock.time();
        machineMillis[0] += 3_600_000;
        long after = clock.time();
        assertThat(before).isGreaterThanOrEqualTo(1_000_000_000_000L);
        assertThat(after).isBetween(before, before + 3_000_000);
    }

    @Test
    void shouldGiveEachConnectionTheClockOfTheDriver() {
        MediaDriver.Context settings = AeronDriver.newContext();
        try (AeronDriver driver = AeronDriver.embedded();
                Aeron further = Aeron.connect(driver.newClientContext())) {
            assertThat(further.context().epochClock())
                    .isSameAs(driver.aeron().context().epochClock())
                    .isSameAs(further.context().nanoClock())
                    .hasSameClassAs(settings.epochClock())
                    .hasSameClassAs(settings.nanoClock());
        } finally {
            settings.deleteDirectory();
        }
    }

    /** That of another process, which began before the clock of the machine was set. */
    @ParameterizedTest
    @ValueSource(longs = {-3_600_000, 3_600_000})
    void shouldFindADriverWithAnotherClock(long aheadMillis) {
        MediaDriver.Context settings = AeronDriver.newContext();
        EpochClock clock = settings.epochClock();
        settings.epochClock(() -> clock.time() + aheadMillis);
        try (MediaDriver driver = MediaDriver.launch(settings)) {
            Path directory = Path.of(driver.aeronDirectoryName());
            try (AeronDriver connected = AeronDriver.existing(directory)) {
                assertThat(connected.isClosed()).isFalse();
                assertThat(connected.newClientContext().epochClock().time() - clock.time() - aheadMillis)
                        .isBetween(-5_000L, 5_000L);
            }
        } finally {
            settings.deleteDirectory();
        }
        assertThat(DriverDirectory.isActive(settings.aeronDirectory().toPath())).isFalse();
    }

    /** Its process was killed while it started, or ends while it is looked at: Agrona throws that a file cannot be opened, which no signature tells. */
    @Test
    void shouldTakeADriverWhoseSignsOfLifeCannotBeOpenedForDead() throws IOException {
        Path directory = DriverDirectory.create();
        Files.createDirectories(directory.resolve(CncFileDescriptor.CNC_FILE)); // a folder cannot be opened as a file
        try {
            assertThat(DriverDirectory.isActive(directory)).isFalse();
            assertThatIllegalStateException()
                    .isThrownBy(() -> AeronDriver.existing(directory))
                    .withMessageContaining("no Aeron driver of this version runs in " + directory);
        } finally {
            DriverDirectory.delete(directory);
        }
    }
}
