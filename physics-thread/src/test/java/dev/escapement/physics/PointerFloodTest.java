package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.input.InputEvent;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.time.ManualClock;
import org.junit.jupiter.api.Test;

/** A mouse that tells where it is 8000 times a second, and a key beside it. */
class PointerFloodTest {

    private static final long MOVE_NANOS = 125_000;
    private static final long TICK_NANOS = 10_000_000;
    private static final int MOVES_PER_TICK = 80;
    private static final int SECOND = 100;
    private static final int KEY = 5;

    private final ManualClock clock = new ManualClock(0);
    private long movesSeen;
    private long keysSeen;
    private long ticks;

    private final InlineDriver driver =
            PhysicsService.builder(new ScriptedSimulation(this::follow)).inline(clock);

    @Test
    void shouldReachItsTickWholeAndInTime() {
        for (int move = 1; move <= SECOND * MOVES_PER_TICK; move++) {
            clock.advance(MOVE_NANOS);
            assertThat(driver.input().offer(clock.nanoTime(), InputKind.POINTER_MOVED, 0, move, 0))
                    .isTrue();
            if (move % MOVES_PER_TICK == MOVES_PER_TICK / 2) {
                driver.input().offer(clock.nanoTime(), InputKind.KEY_DOWN, KEY, 0, 0);
            }
            driver.runDueTicks();
        }
        assertThat(ticks).isEqualTo(SECOND);
        assertThat(movesSeen).isEqualTo(SECOND * MOVES_PER_TICK);
        assertThat(keysSeen).isEqualTo(SECOND);
        assertThat(driver.input().rejected()).isZero();
    }

    /** A window thread that was blocked for a second offers all at once; the ticks of that second have gone by without it. */
    @Test
    void shouldNotHoldUpTicksWhileItsWindowIsBlocked() {
        int[] late = {0};
        long[] run = {0};
        InlineDriver blocked = PhysicsService.builder(new ScriptedSimulation(tick -> {
                    run[0]++;
                    for (int i = 0; i < tick.input().size(); i++) {
                        late[0] += tick.input().event(i).isLate() ? 1 : 0;
                    }
                }))
                .inline(clock);
        for (int tick = 0; tick < SECOND; tick++) {
            clock.advance(TICK_NANOS);
            blocked.runDueTicks();
        }
        assertThat(run[0]).isEqualTo(SECOND);
        for (int move = 1; move <= SECOND * MOVES_PER_TICK; move++) {
            assertThat(blocked.input().offer(move * MOVE_NANOS, InputKind.POINTER_MOVED, 0, move, 0))
                    .isTrue();
        }
        clock.advance(TICK_NANOS);
        assertThat(blocked.runDueTicks()).isEqualTo(1);
        assertThat(late[0]).isEqualTo(SECOND * MOVES_PER_TICK);
    }

    @Test
    void shouldBeRefusedAndCountedWhenTheRingIsFull() {
        int capacity = 8192;
        int more = 100;
        int accepted = 0;
        for (int move = 0; move < capacity + more; move++) {
            accepted += driver.input().offer(0, InputKind.POINTER_MOVED, 0, move, 0) ? 1 : 0;
        }
        assertThat(accepted).isEqualTo(capacity);
        assertThat(driver.input().rejected()).isEqualTo(more);
    }

    private void follow(Tick tick) {
        ticks++;
        InputFrame input = tick.input();
        int moves = 0;
        for (int i = 0; i < input.size(); i++) {
            InputEvent event = input.event(i);
            assertThat(event.isLate()).isFalse();
            if (event.kind() == InputKind.KEY_DOWN) {
                keysSeen++;
                assertThat(event.offsetNanos()).isEqualTo(TICK_NANOS / 2);
            } else {
                moves++;
                assertThat(event.x()).isEqualTo((float) ++movesSeen);
                assertThat(event.offsetNanos()).isEqualTo(moves * MOVE_NANOS);
            }
        }
        assertThat(moves == 0 || moves == MOVES_PER_TICK).isTrue();
    }
}
