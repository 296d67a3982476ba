package dev.escapement.bench.stress;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.simulation.LateTicks;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.TickRate;
import java.util.EnumSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The command storm beside seeks and other speeds of time. */
@Timeout(60)
class CommandStormTest {

    /** The number of looks for which the world stands still. */
    private static final int LOOKS = 2_000;

    private static final long STANDS_STILL_FROM = 10;

    @Test
    void shouldGoBackWithinTheHistory() {
        SplittableRandom random = new SplittableRandom(7);
        for (TickRate rate : List.of(TickRate.hertz(20), TickRate.hertz(100), new TickRate(1, 2))) {
            int kept = Math.max(1, (int) rate.inHertz()); // the ticks of a second
            assertThat(IntStream.range(0, 1_000).map(i -> RewindStorm.backTicks(random, rate)))
                    .allMatch(ticks -> ticks >= 1 && ticks <= kept)
                    .contains(1, kept);
        }
    }

    /** Ticks after a command are not judged, so most ticks must have no command. */
    @Test
    void shouldLeaveMostTicksOfALongLifeWithoutCommands() {
        TickRate rate = TickRate.hertz(20);
        for (int number = 1; number <= 50; number += 3) {
            LifePlan isLong = LifePlan.draw(7, number, EnumSet.allOf(StormPart.class), false, 30);
            assertThat(CommandStorm.pauseNanos(isLong, rate)).isEqualTo(150_000_000);
        }
        LifePlan isShort = LifePlan.draw(7, 2, EnumSet.allOf(StormPart.class), false, 30);
        assertThat(CommandStorm.pauseNanos(isShort, rate)).isEqualTo(1_000_000_000 / isShort.commandsPerSecond());
    }

    @Test
    void shouldNotDeclareEvenTimeBeforeTicksHaveFollowed() {
        CountDownLatch goesOn = new CountDownLatch(1);
        SwingWorld world = new SwingWorld() {
            @Override
            public void step(Tick tick) throws Exception {
                if (tick.number() == STANDS_STILL_FROM) {
                    goesOn.await();
                }
                super.step(tick);
            }
        };
        try (PhysicsService physics = PhysicsService.start(world)) {
            TickCheck ticks = new TickCheck(new Check(), false, LateTicks.dilate(), NanoClock.system());
            ticks.read(physics);
            ticks.changes();
            assertThat(Polling.await(() -> physics.lastTick() == STANDS_STILL_FROM - 1))
                    .isTrue();
            AtomicInteger looks = new AtomicInteger();
            TimeStorm.settle(physics, ticks, () -> looks.incrementAndGet() < LOOKS);
            assertThat(looks).as("it waits for as long as it may").hasValue(LOOKS);
            assertThat(ticks.evenSince()).isEqualTo(Long.MAX_VALUE);
            goesOn.countDown();
            TimeStorm.settle(physics, ticks, () -> true);
            assertThat(ticks.evenSince()).isGreaterThan(STANDS_STILL_FROM).isLessThan(Long.MAX_VALUE);
        }
    }
}
