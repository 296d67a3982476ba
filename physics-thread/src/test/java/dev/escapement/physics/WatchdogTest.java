package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WatchdogTest {

    private final Heartbeat heartbeat = new Heartbeat();
    private final Watchdog watchdog = new Watchdog(heartbeat);

    @Test
    void shouldFindWhatStaysInTheUsersCodeForAllLooks() {
        heartbeat.begin();
        watchdog.look(); // sees this beat for the first time
        for (int i = 1; i < Watchdog.LOOKS; i++) {
            assertThat(watchdog.look()).isEqualTo(Watchdog.NOTHING);
        }
        long hanging = watchdog.look();
        assertThat(hanging).isEqualTo(heartbeat.beat());
        heartbeat.abandon(hanging);
        assertThat(watchdog.look()).isEqualTo(Watchdog.NOTHING);
    }

    @Test
    void shouldNotMindATickThatIsNotThere() {
        for (int i = 0; i < 5 * Watchdog.LOOKS; i++) {
            assertThat(watchdog.look()).isEqualTo(Watchdog.NOTHING);
        }
    }

    @Test
    void shouldBeginAnewWithEveryPieceOfUserCode() {
        for (int tick = 0; tick < 10; tick++) {
            heartbeat.begin();
            for (int i = 0; i < Watchdog.LOOKS; i++) {
                assertThat(watchdog.look()).isEqualTo(Watchdog.NOTHING);
            }
            assertThat(heartbeat.end()).isTrue();
        }
    }
}
