package dev.escapement.physics.usercode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class UserCodeGuardTest {

    private static final int ROUNDS = 1000;

    private final UserCodeGuard guard = new UserCodeGuard();
    private final Watchdog watchdog = new Watchdog(guard);

    @Test
    void shouldShowWhetherItIsInTheUsersCode() {
        assertThat(UserCodeGuard.isInUserCode(guard.crossings())).isFalse();
        guard.enter();
        long crossings = guard.crossings();
        assertThat(UserCodeGuard.isInUserCode(crossings)).isTrue();
        guard.enter(); // as when the end of the run follows an exception of user code
        assertThat(guard.crossings()).isEqualTo(crossings);
        assertThat(guard.tryExit()).isTrue();
        assertThat(UserCodeGuard.isInUserCode(guard.crossings())).isFalse();
    }

    @Test
    void shouldNotAbandonWhatHasGoneOn() {
        assertThat(guard.abandon(guard.crossings()))
                .as("its own code is bounded")
                .isFalse();
        guard.enter();
        long crossings = guard.crossings();
        guard.tryExit();
        assertThat(guard.abandon(crossings)).isFalse();
        guard.enter();
        assertThat(guard.abandon(crossings)).isFalse();
        assertThat(guard.isAbandoned()).isFalse();
    }

    @Test
    void shouldNeverResumeOnceAbandoned() {
        guard.enter();
        assertThat(guard.abandon(guard.crossings())).isTrue();
        for (int i = 0; i < 3; i++) {
            assertThat(guard.tryExit()).isFalse();
            guard.enter();
            assertThat(guard.isAbandoned()).isTrue();
            assertThat(UserCodeGuard.isInUserCode(guard.crossings())).isFalse();
        }
    }

    @Test
    void shouldEndWhatHasBegunWhenSomethingThrows() {
        assertThat(guard.exitAfterThrow()).as("nothing had begun").isTrue();
        assertThat(UserCodeGuard.isInUserCode(guard.crossings())).isFalse();
        guard.enter();
        long crossings = guard.crossings();
        assertThat(guard.exitAfterThrow()).isTrue();
        assertThat(guard.abandon(crossings)).as("an old verdict").isFalse();
        guard.enter();
        assertThat(guard.abandon(guard.crossings())).isTrue();
        assertThat(guard.exitAfterThrow()).isFalse();
    }

    @Test
    void shouldGuardACallUntilItReturns() throws Exception {
        guard.call(() -> assertThat(guard.isCaller()).isTrue());
        assertThat(UserCodeGuard.isInUserCode(guard.crossings())).isFalse();
        Exception thrown = new Exception("of the call");
        assertThatThrownBy(() -> guard.call(() -> {
                    throw thrown;
                }))
                .isSameAs(thrown);
        assertThat(guard.isCaller())
                .as("for the caller to leave, or another to abandon")
                .isTrue();
        assertThat(guard.exitAfterThrow()).isTrue();
    }

    @Test
    void shouldThrowAfterACallInWhichItWasAbandoned() {
        assertThatIllegalStateException()
                .isThrownBy(() -> guard.call(() -> guard.abandon(guard.crossings())))
                .withMessageContaining("came back");
        assertThatIllegalStateException()
                .isThrownBy(guard::next)
                .withMessageContaining("the physics thread came back after it had been abandoned");
    }

    @Test
    void shouldTellTheNextCallFromTheOneBefore() {
        guard.enter();
        long crossings = guard.crossings();
        guard.next();
        assertThat(guard.isCaller()).isTrue();
        assertThat(guard.abandon(crossings)).as("that call has returned").isFalse();
    }

    /**
     * Repeats with real threads. The time between enter and exit varies, so that some exits meet the abandonment.
     *
     * <p>The release in {@link UserCodeGuard#enter()} has no such test: x86 never reorders the stores that a weaker access could reorder,
     * so no number of rounds would show a difference here.
     */
    @Test
    void shouldEitherExitOrBeAbandoned() throws Exception {
        for (int batch = 0; batch < 200; batch++) {
            UserCodeGuard[] guards =
                    Stream.generate(UserCodeGuard::new).limit(ROUNDS).toArray(UserCodeGuard[]::new);
            FutureTask<boolean[]> abandoning = new FutureTask<>(() -> abandonAll(guards));
            Thread watcher = new Thread(abandoning, "watcher");
            watcher.setDaemon(true);
            watcher.start();
            boolean[] ended = new boolean[ROUNDS];
            for (int i = 0; i < ROUNDS; i++) {
                guards[i].enter();
                for (int spin = 0; spin < i % 16; spin++) {
                    Thread.onSpinWait();
                }
                ended[i] = guards[i].tryExit();
            }
            boolean[] abandoned = abandoning.get();
            for (int i = 0; i < ROUNDS; i++) {
                assertThat(abandoned[i]).isNotEqualTo(ended[i]);
            }
        }
    }

    private static boolean[] abandonAll(UserCodeGuard[] guards) {
        boolean[] abandoned = new boolean[guards.length];
        for (int i = 0; i < guards.length; i++) {
            while (guards[i].crossings() == 0) {
                Thread.onSpinWait();
            }
            abandoned[i] = guards[i].abandon(1);
        }
        return abandoned;
    }

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
