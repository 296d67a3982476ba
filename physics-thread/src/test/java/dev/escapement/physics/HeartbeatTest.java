package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class HeartbeatTest {

    private static final int ROUNDS = 1000;

    private final Heartbeat heartbeat = new Heartbeat();

    @Test
    void shouldShowWhetherItIsInTheUsersCode() {
        assertThat(Heartbeat.isInUserCode(heartbeat.beat())).isFalse();
        heartbeat.begin();
        long beat = heartbeat.beat();
        assertThat(Heartbeat.isInUserCode(beat)).isTrue();
        heartbeat.begin(); // a failure in the user's code, which its end follows
        assertThat(heartbeat.beat()).isEqualTo(beat);
        assertThat(heartbeat.end()).isTrue();
        assertThat(Heartbeat.isInUserCode(heartbeat.beat())).isFalse();
    }

    @Test
    void shouldNotAbandonWhatHasGoneOn() {
        assertThat(heartbeat.abandon(heartbeat.beat()))
                .as("its own code is bounded")
                .isFalse();
        heartbeat.begin();
        long beat = heartbeat.beat();
        heartbeat.end();
        assertThat(heartbeat.abandon(beat)).isFalse();
        heartbeat.begin();
        assertThat(heartbeat.abandon(beat)).isFalse();
        assertThat(heartbeat.isAbandoned()).isFalse();
    }

    @Test
    void shouldNeverGoOnOnceAbandoned() {
        heartbeat.begin();
        assertThat(heartbeat.abandon(heartbeat.beat())).isTrue();
        for (int i = 0; i < 3; i++) {
            assertThat(heartbeat.end()).isFalse();
            heartbeat.begin();
            assertThat(heartbeat.isAbandoned()).isTrue();
            assertThat(Heartbeat.isInUserCode(heartbeat.beat())).isFalse();
        }
    }

    @Test
    void shouldEndWhatHasBegunWhenSomethingThrows() {
        assertThat(heartbeat.endIfBegun()).as("nothing had begun").isTrue();
        assertThat(Heartbeat.isInUserCode(heartbeat.beat())).isFalse();
        heartbeat.begin();
        long beat = heartbeat.beat();
        assertThat(heartbeat.endIfBegun()).isTrue();
        assertThat(heartbeat.abandon(beat)).as("an old verdict").isFalse();
        heartbeat.begin();
        assertThat(heartbeat.abandon(heartbeat.beat())).isTrue();
        assertThat(heartbeat.endIfBegun()).isFalse();
    }

    /**
     * Rounds of real threads, each with a moment of its own between the begin and the end, so that some ends meet the abandonment.
     *
     * <p>That {@link Heartbeat#begin()} releases what came before has no such test: x86 never reorders the stores that a weaker one
     * would let go first, so that no number of rounds here would show it.
     */
    @Test
    void shouldEitherEndOrBeAbandoned() throws Exception {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(800);
        do {
            Heartbeat[] beats = Stream.generate(Heartbeat::new).limit(ROUNDS).toArray(Heartbeat[]::new);
            FutureTask<boolean[]> abandoning = new FutureTask<>(() -> abandonAll(beats));
            Thread watcher = new Thread(abandoning, "watcher");
            watcher.setDaemon(true);
            watcher.start();
            boolean[] ended = new boolean[ROUNDS];
            for (int i = 0; i < ROUNDS; i++) {
                beats[i].begin();
                for (int spin = 0; spin < i % 16; spin++) {
                    Thread.onSpinWait();
                }
                ended[i] = beats[i].end();
            }
            boolean[] abandoned = abandoning.get();
            for (int i = 0; i < ROUNDS; i++) {
                assertThat(abandoned[i]).isNotEqualTo(ended[i]);
            }
        } while (System.nanoTime() - end < 0);
    }

    private static boolean[] abandonAll(Heartbeat[] beats) {
        boolean[] abandoned = new boolean[beats.length];
        for (int i = 0; i < beats.length; i++) {
            while (beats[i].beat() == 0) {
                Thread.onSpinWait();
            }
            abandoned[i] = beats[i].abandon(1);
        }
        return abandoned;
    }
}
