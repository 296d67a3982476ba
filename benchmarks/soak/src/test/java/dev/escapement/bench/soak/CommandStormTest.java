package dev.escapement.bench.soak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.stress.ledger.CommandLedger;
import dev.escapement.bench.stress.ledger.InputLedger;
import dev.escapement.bench.stress.ledger.Polling;
import dev.escapement.bench.stress.trial.Scenario;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.Tick;
import java.util.EnumSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CommandStormTest {

    /** How many looks the world stands still. */
    private static final int LOOKS = 2_000;

    private static final long STANDS_STILL_FROM = 10;

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
        Scenario scenario = new Scenario("test", "", StressRun.promises(), trial -> {});
        Trial trial = new Trial(scenario, 1, null);
        LifePlan plan = LifePlan.draw(1, 1, 1, EnumSet.of(StormPart.READERS), false, 1);
        StressedSimulation stressed = new StressedSimulation(world);
        CommandLedger commands = new CommandLedger(trial, CommandStorm.LANES, thrown -> false);
        InputLedger inputs = new InputLedger(1, trial::isPlanted);
        RunWatch watch = new RunWatch(trial, plan, stressed, inputs, commands, false, false);
        try (PhysicsService physics = PhysicsService.start(stressed);
                CommandStorm storm = new CommandStorm(physics, plan, stressed, watch, commands, null)) {
            assertThat(Polling.await(() -> physics.lastTick() == STANDS_STILL_FROM - 1))
                    .isTrue();
            long before = storm.evenSince();
            AtomicInteger looks = new AtomicInteger();
            storm.settle(() -> looks.incrementAndGet() < LOOKS);
            assertThat(looks).as("it waits for as long as it may").hasValue(LOOKS);
            assertThat(storm.evenSince()).isEqualTo(before);
            goesOn.countDown();
            storm.settle(() -> true);
            assertThat(storm.evenSince()).isGreaterThan(STANDS_STILL_FROM);
        }
    }
}
