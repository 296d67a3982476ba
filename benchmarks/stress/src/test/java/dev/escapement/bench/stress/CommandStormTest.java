package dev.escapement.bench.stress;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.simulation.LateTicks;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.time.NanoClock;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CommandStormTest {

    @Test
    void shouldNotDeclareEvenTimeBeforeTicksHaveFollowed() {
        CountDownLatch goesOn = new CountDownLatch(1);
        SwingWorld world = new SwingWorld() {
            @Override
            public void step(Tick tick) throws Exception {
                if (tick.number() == 10) {
                    goesOn.await();
                }
                super.step(tick);
            }
        };
        try (PhysicsService physics = PhysicsService.start(world)) {
            TickCheck ticks = new TickCheck(new Check(), false, LateTicks.dilate(), NanoClock.system());
            ticks.read(physics);
            ticks.changes();
            assertThat(Polling.await(() -> physics.lastPublishedTick() == 9)).isTrue();
            AtomicInteger looks = new AtomicInteger();
            TimeStorm.settle(physics, ticks, () -> looks.incrementAndGet() < 2_000);
            assertThat(looks).as("it waits for as long as it may").hasValue(2_000);
            assertThat(ticks.evenSince()).isEqualTo(Long.MAX_VALUE);
            goesOn.countDown();
            TimeStorm.settle(physics, ticks, () -> true);
            assertThat(ticks.evenSince()).isGreaterThan(10).isLessThan(Long.MAX_VALUE);
        }
    }
}
