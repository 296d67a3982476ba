package dev.escapement.transport.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import io.aeron.Aeron;
import io.aeron.driver.MediaDriver;
import org.agrona.concurrent.EpochClock;
import org.junit.jupiter.api.Test;

class AeronDriverTest {

    /** Set forward, it would make a driver take its clients for dead; set back, who looks for a driver would not find it. */
    @Test
    void shouldNotNoticeThatTheClockOfTheMachineIsSet() {
        long[] machineMillis = {1_000_000_000_000L};
        EpochClock clock = AeronDriver.steadyClock(() -> machineMillis[0]);
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
                    .hasSameClassAs(settings.epochClock());
        } finally {
            settings.deleteDirectory();
        }
    }
}
