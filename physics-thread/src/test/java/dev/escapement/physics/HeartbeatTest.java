package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class HeartbeatTest {

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
    void shouldEitherEndOrBeAbandoned() throws Exception {
        ExecutorService watcher = Executors.newSingleThreadExecutor();
        try {
            for (int i = 0; i < 2_000; i++) {
                Heartbeat contended = new Heartbeat();
                contended.begin();
                CyclicBarrier start = new CyclicBarrier(2);
                Future<Boolean> abandoning = watcher.submit(() -> {
                    start.await();
                    return contended.abandon(1);
                });
                start.await();
                boolean ended = contended.end();
                assertThat(abandoning.get(30, TimeUnit.SECONDS)).isNotEqualTo(ended);
            }
        } finally {
            watcher.shutdown();
        }
    }
}
