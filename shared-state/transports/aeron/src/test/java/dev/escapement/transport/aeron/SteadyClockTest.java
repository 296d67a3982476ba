package dev.escapement.transport.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.time.ManualClock;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SteadyClockTest {

    private static final long SECOND = 1_000_000_000L;
    private static final int THREADS = 4;
    private static final int READINGS = 20_000;

    private final ManualClock machine = new ManualClock(77);
    private final SteadyClock clock = new SteadyClock(machine::nanoTime, () -> 1_000_000_000_000L);

    @Test
    void shouldReturnTheMachinesTimeAsLongAsItIsRead() {
        long before = clock.nanoTime();
        for (int i = 0; i < 100; i++) {
            machine.advance(SteadyClock.MAX_JUMP_NANOS);
            assertThat(clock.nanoTime() - before).isEqualTo((i + 1) * SteadyClock.MAX_JUMP_NANOS);
        }
        assertThat(clock.time()).isEqualTo(1_000_000_030_000L);
    }

    /** Set forward, it would make a driver consider its clients dead. */
    @Test
    void shouldNotNoticeThatTheClockOfTheMachineIsSet() {
        long[] machineMillis = {1_000_000_000_000L};
        SteadyClock set = new SteadyClock(machine::nanoTime, () -> machineMillis[0]);
        machineMillis[0] += 3_600_000;
        assertThat(set.time()).isEqualTo(1_000_000_000_000L);
    }

    /** A process that was stopped for a day has been silent for less than half a second. */
    @Test
    void shouldStandStillWhileTheProcessDoes() {
        long before = clock.nanoTime();
        long beforeMillis = clock.time();
        machine.advance(86_400 * SECOND);
        assertThat(clock.nanoTime() - before).isEqualTo(SteadyClock.MAX_JUMP_NANOS);
        assertThat(clock.nanoTime() - before).isEqualTo(SteadyClock.MAX_JUMP_NANOS);
        machine.advance(1000);
        assertThat(clock.nanoTime() - before).isEqualTo(SteadyClock.MAX_JUMP_NANOS + 1000);
        assertThat(clock.time() - beforeMillis).isEqualTo(300);
    }

    /** Threads that read while it jumps: none of them sees the jump, and time goes back for none. */
    @Test
    void shouldJumpForNoThread() throws Exception {
        AtomicLong nanos = new AtomicLong();
        SteadyClock shared = new SteadyClock(nanos::get, () -> 0);
        ExecutorService pool = Executors.newFixedThreadPool(THREADS);
        try {
            List<Callable<Long>> readers = IntStream.range(0, THREADS)
                    .<Callable<Long>>mapToObj(thread -> () -> {
                        long worst = 0;
                        for (int i = 0; i < READINGS; i++) {
                            long before = shared.nanoTime();
                            nanos.addAndGet(i == READINGS / 2 ? 12 * SECOND : 1000);
                            long step = shared.nanoTime() - before;
                            worst = step < 0 ? Long.MAX_VALUE : Math.max(worst, step);
                        }
                        return worst;
                    })
                    .toList();
            for (Future<Long> worst : pool.invokeAll(readers)) {
                assertThat(worst.get()).isPositive().isLessThan(2 * SECOND);
            }
        } finally {
            pool.shutdownNow();
        }
    }
}
