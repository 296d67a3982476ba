package dev.escapement.physics.usercode;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WatchdogTest {

    private final UserCodeGuard guard = new UserCodeGuard();
    private final Watchdog watchdog = new Watchdog(guard);

    @Test
    void shouldFindWhatStaysInUserCode() {
        guard.enter();
        watchdog.look(); // sees this call for the first time
        for (int i = 1; i < Watchdog.LOOKS; i++) {
            assertThat(watchdog.look()).isEqualTo(i);
        }
        assertThat(watchdog.look()).isEqualTo(Watchdog.LOOKS);
        assertThat(watchdog.seen()).isEqualTo(guard.crossings());
        guard.abandon(watchdog.seen());
        assertThat(watchdog.look()).isZero();
    }

    @Test
    void shouldNotMindATickThatIsNotThere() {
        for (int i = 0; i < 5 * Watchdog.LOOKS; i++) {
            assertThat(watchdog.look()).isZero();
        }
    }

    @Test
    void shouldBeginAnewWithEveryPieceOfUserCode() {
        for (int tick = 0; tick < 10; tick++) {
            guard.enter();
            for (int i = 0; i < Watchdog.LOOKS; i++) {
                assertThat(watchdog.look()).isLessThan(Watchdog.LOOKS);
            }
            assertThat(guard.tryExit()).isTrue();
        }
    }
}
