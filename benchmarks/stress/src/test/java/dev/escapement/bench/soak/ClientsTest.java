package dev.escapement.bench.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.escapement.bench.stress.ledger.Polling;
import dev.escapement.bench.stress.trial.Check;
import dev.escapement.bench.stress.trial.WindowCheck;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.replay.history.StateHistory;
import dev.escapement.physics.restore.Restorable;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.capture.PoseWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The clients of a service, over real sockets. */
@Timeout(120)
class ClientsTest {

    private final Check whole = new Check();
    private final Check consecutive = new Check();
    private final Check forwards = new Check();
    private final Check fresh = new Check();

    /** A body that moves. */
    private static final class World implements Simulation, Restorable {

        private long id;
        private long tick;

        @Override
        public void step(Tick of) {
            tick = of.number();
        }

        @Override
        public void save(StateBuffer to) {
            to.put(tick);
        }

        @Override
        public void restore(StateBuffer from) {
            tick = from.getLong();
        }

        @Override
        public void capture(PoseWriter poses) {
            id = id == 0 ? poses.spawn(1) : id;
            poses.set(poses.slotOf(id), (float) tick, 0, 0, 0, 0, 0, 1);
        }
    }

    private LossyUdpClient udp(PhysicsService physics, long seed) {
        WindowCheck windows = new WindowCheck(whole, consecutive, forwards, fresh);
        return LossyUdpClient.start(physics, windows, new SplittableRandom(seed));
    }

    @Test
    void shouldCheckWindowsThroughALossyRelay() {
        try (PhysicsService physics = PhysicsService.start(new World());
                LossyUdpClient client = udp(physics, 7)) {
            assertThat(Polling.await(() -> client.newestTick() > 200))
                    .as(() -> client.newestTick() + " ticks, " + client.failure())
                    .isTrue();
            assertThat(client.failure()).isEmpty();
            assertThat(client.hasWorked()).isTrue();
        }
        assertThat(whole.checked()).isPositive();
        assertThat(consecutive.checked()).isPositive();
        assertThat(forwards.checked()).isPositive();
        assertThat(whole.broken() + consecutive.broken() + forwards.broken()).isZero();
    }

    @Test
    void shouldShowAPageAndGoBack() {
        StateHistory history = StateHistory.ofTicks(500);
        try (PhysicsService physics =
                        PhysicsService.builder(new World()).with(history).start();
                PageClient client = PageClient.start(physics, history, new SplittableRandom(7))) {
            assertThat(Polling.await(
                            () -> client.messages() > 600 || client.failure().isPresent()))
                    .as(() -> client.messages() + " messages")
                    .isTrue();
            assertThat(client.failure()).isEmpty();
            assertThat(client.hasWorked()).isTrue();
        }
    }

    @Test
    void shouldFindAPictureThatIsOlder() {
        try (PhysicsService physics = PhysicsService.start(new World());
                PageClient client = PageClient.start(physics, null, new SplittableRandom(7))) {
            client.begin(picture(1e9));
            client.begin(picture(1e9));
            assertThatIllegalStateException()
                    .isThrownBy(() -> client.begin(picture(1e9 - 1)))
                    .withMessageContaining("came after tick 1.0E9");
            assertThat(Polling.await(() -> client.failure().isPresent())).isTrue();
            assertThat(client.failure().map(Throwable::getMessage).orElse("")).contains("came after tick 1.0E9");
        }
    }

    private static ByteBuffer picture(double tick) {
        return ByteBuffer.allocate(16)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(0, (byte) 1)
                .putDouble(8, tick);
    }

    @Test
    void shouldLeaveNothing() {
        live(1); // what is loaded once stays
        ProcessWatch watch = new ProcessWatch();
        watch.setBase();
        for (int life = 2; life < 5; life++) {
            live(life);
            assertThat(watch.threadsLeft()).isEmpty();
            assertThat(watch.handlesMore()).isEmpty();
        }
    }

    private void live(long seed) {
        try (PhysicsService physics = PhysicsService.start(new World())) {
            for (int again = 0; again < 3; again++) { // else readers would run out
                try (PageClient page = PageClient.start(physics, null, new SplittableRandom(seed));
                        LossyUdpClient client = udp(physics, seed)) {
                    assertThat(Polling.await(() -> client.newestTick() > 0 && page.messages() > 30))
                            .isTrue();
                    assertThat(Optional.empty().or(page::failure).or(client::failure))
                            .isEmpty();
                }
            }
        }
    }
}
