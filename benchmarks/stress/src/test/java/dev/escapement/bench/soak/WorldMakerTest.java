package dev.escapement.bench.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.escapement.bench.stress.ledger.Polling;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.state.time.TickRate;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class WorldMakerTest {

    private final AtomicInteger made = new AtomicInteger();

    private WorldMaker maker(Supplier<Simulation> worlds, long maxNanos) {
        return new WorldMaker("", worlds, TickRate.hertz(100), maxNanos);
    }

    @Test
    void shouldGoOnWhereAConstructorHangs() {
        CountDownLatch released = new CountDownLatch(1);
        try (WorldMaker maker = maker(
                () -> {
                    if (made.incrementAndGet() > 1) {
                        assertThat(Polling.await(() -> released.getCount() == 0))
                                .isTrue();
                    }
                    return new SwingWorld();
                },
                1)) {
            assertThat(maker.name()).isEqualTo(SwingWorld.class.getName());
            assertThat(maker.make()).as("the first waits").isNotNull();
            assertThatIllegalStateException()
                    .isThrownBy(maker::make)
                    .withMessageContaining("the constructor of the world hangs: Thread[");
        } finally {
            released.countDown();
        }
    }

    @Test
    void shouldSayWhyALaterWorldCannotBeMade() {
        try (WorldMaker maker = maker(
                () -> {
                    if (made.incrementAndGet() > 1) {
                        throw new IllegalArgumentException("no licence");
                    }
                    return new SwingWorld();
                },
                WorldMaker.MAX_NANOS)) {
            assertThat(maker.make()).isNotNull();
            assertThatIllegalStateException().isThrownBy(maker::make).withMessageContaining("no licence");
        }
    }

    @Test
    void shouldCloseTheFirstWorldOnceIfNoServiceTakesIt() {
        AtomicInteger closed = new AtomicInteger();
        Supplier<Simulation> worlds = () -> new SwingWorld() {
            @Override
            public void close() {
                closed.incrementAndGet();
            }
        };
        maker(worlds, WorldMaker.MAX_NANOS).close();
        assertThat(closed).hasValue(1);
        try (WorldMaker maker = maker(worlds, WorldMaker.MAX_NANOS)) {
            assertThat(maker.make()).as("closed by who takes it").isNotNull();
        }
        assertThat(closed).hasValue(1);
    }
}
