package dev.escapement.bench.soak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.stress.ledger.Polling;
import dev.escapement.bench.stress.trial.Check;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.replay.RunDescription;
import dev.escapement.physics.replay.log.Recording;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.time.TickRate;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class SecondRunTest {

    private static final long LONG_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final int TICKS = 10;
    private static final int LOOKS_OF_TWO_SECONDS = 100;

    @TempDir
    private Path folder;

    private Path log;
    private final Check same = new Check();
    private final CountDownLatch goesOn = new CountDownLatch(1);

    /** Stands still in its fifth tick. */
    private final class Hanging extends SwingWorld {

        @Override
        public void step(Tick tick) throws Exception {
            if (tick.number() == 5) {
                goesOn.await();
            }
            super.step(tick);
        }
    }

    @BeforeEach
    void record() throws Exception {
        log = folder.resolve("life.esclog");
        RunDescription run = new RunDescription("swing", "", "test", 7, TickRate.hertz(100));
        try (Recording recording = Recording.create(log, run);
                PhysicsService physics = PhysicsService.builder(new SwingWorld())
                        .rate(run.rate())
                        .with(recording)
                        .start()) {
            assertThat(Polling.await(() -> physics.lastTick() >= TICKS)).isTrue();
        }
    }

    @Test
    void shouldFindTheSameStates() {
        assertThat(new SecondRun(log, SwingWorld::new, same, LONG_NANOS).run(() -> false))
                .isEmpty();
        assertThat(same.checked()).isEqualTo(1);
        assertThat(same.broken()).as(same.example()).isZero();
    }

    @Test
    void shouldSayWhereAWorldHangs() {
        String hangs = new SecondRun(log, Hanging::new, same, TimeUnit.SECONDS.toNanos(1)).run(() -> false);
        long checked = same.checked();
        goesOn.countDown(); // from here on its thread runs to the end
        assertThat(hangs).contains(log.toString(), "hangs after 4 ticks", "Hanging.step");
        assertThat(checked).isZero();
    }

    /** Engines load code and make worlds for longer than a tick may take. */
    @Test
    void shouldWaitLongerForTheWorldThanForATick() {
        AtomicInteger looks = new AtomicInteger();
        SecondRun second = new SecondRun(
                log,
                () -> {
                    assertThat(Polling.await(() -> looks.get() > LOOKS_OF_TWO_SECONDS))
                            .isTrue();
                    return new SwingWorld();
                },
                same,
                TimeUnit.SECONDS.toNanos(1));
        assertThat(second.run(() -> looks.incrementAndGet() < 0)).isEmpty();
        assertThat(same.checked()).isEqualTo(1);
        assertThat(same.broken()).as(same.example()).isZero();
    }

    @Test
    void shouldCheckNothingWhenTheRunIsEnded() {
        SecondRun second = new SecondRun(log, Hanging::new, same, LONG_NANOS);
        assertThat(second.run(() -> {
                    goesOn.countDown(); // the tick that runs then is the last
                    return true;
                }))
                .isEmpty();
        assertThat(same.checked()).isZero();
    }
}
