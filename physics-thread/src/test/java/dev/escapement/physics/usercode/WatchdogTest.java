package dev.escapement.physics.usercode;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WatchdogTest {

    private final UserCodeGuard guard = new UserCodeGuard();
    private final UserCodeGuard.Watchdog watchdog = new UserCodeGuard.Watchdog(guard);

    @Test
    void shouldFindWhatStaysInTheUsersCodeForAllLooks() {
        guard.enter();
        watchdog.look(); // sees this call for the first time
        for (int i = 1; i < UserCodeGuard.Watchdog.LOOKS; i++) {
            assertThat(watchdog.hanging()).isEqualTo(UserCodeGuard.Watchdog.NOTHING);
        }
        long hanging = watchdog.hanging();
        assertThat(hanging).isEqualTo(guard.crossings());
        guard.abandon(hanging);
        assertThat(watchdog.hanging()).isEqualTo(UserCodeGuard.Watchdog.NOTHING);
    }

    @Test
    void shouldNotMindATickThatIsNotThere() {
        for (int i = 0; i < 5 * UserCodeGuard.Watchdog.LOOKS; i++) {
            assertThat(watchdog.hanging()).isEqualTo(UserCodeGuard.Watchdog.NOTHING);
        }
    }

    @Test
    void shouldBeginAnewWithEveryPieceOfUserCode() {
        for (int tick = 0; tick < 10; tick++) {
            guard.enter();
            for (int i = 0; i < UserCodeGuard.Watchdog.LOOKS; i++) {
                assertThat(watchdog.hanging()).isEqualTo(UserCodeGuard.Watchdog.NOTHING);
            }
            assertThat(guard.tryExit()).isTrue();
        }
    }
}
