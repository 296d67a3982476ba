package example.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.stephengold.joltjni.Body;
import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.RemoteSources;
import dev.escapement.state.input.TrackedSource;
import dev.escapement.state.snapshot.Bodies;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.wire.InterestRegion;
import example.BoxYard;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PlayersTest {

    private static final int KEY_LEFT = 263; // key code of GLFW
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    @Test
    void shouldGiveEachPlayerABoxThatItsKeysMoveUntilItLeaves() {
        ManualClock clock = new ManualClock(0);
        BoxYard yard = new BoxYard(2, Players.ROOM);
        Players players = new Players(yard);
        try (yard;
                InlineDriver driver = PhysicsService.builder(players).inline(clock);
                RemoteSources clients = new RemoteSources(driver.input());
                SnapshotReader reader = driver.newReader()) {
            TrackedSource first = clients.join();
            TrackedSource second = clients.join();
            first.offer(0, InputKind.KEY_DOWN, KEY_LEFT, 0, 0);
            second.offer(0, InputKind.KEY_DOWN, KEY_LEFT, 0, 0); // this key goes down and up within one tick
            second.offer(0, InputKind.KEY_UP, KEY_LEFT, 0, 0);
            run(driver, clock);
            assertThat(players.boxes.keySet()).containsExactly(first.sender(), second.sender());
            List<Body> boxes = List.copyOf(players.boxes.values());
            assertThat(boxes.get(0).getLinearVelocity().getX()).isLessThan(-1);
            assertThat(boxes.get(1).getLinearVelocity().getX()).isBetween(-0.5f, 0.5f);
            assertThat(owners(reader)).containsExactlyInAnyOrder(0L, 0L, (long) first.sender(), (long) second.sender());
            assertThat(yard.system.getNumBodies()).isEqualTo(1 + 4);
            clients.leave(first);
            run(driver, clock);
            assertThat(owners(reader)).containsExactlyInAnyOrder(0L, 0L, (long) second.sender());
            assertThat(yard.system.getNumBodies()).isEqualTo(1 + 3);
        }
    }

    private static List<Long> owners(SnapshotReader reader) {
        assertThat(reader.acquire()).isTrue();
        Bodies bodies = reader.window().newest().bodies();
        return IntStream.range(0, bodies.slotCount())
                .filter(bodies::exists)
                .mapToObj(bodies::userData)
                .toList();
    }

    private static void run(InlineDriver driver, ManualClock clock) {
        for (int i = 0; i < 20; i++) {
            clock.advance(SECOND / 20);
            driver.runDueTicks();
        }
    }

    @Test
    void shouldMoveTheRegionOfAClientThatIsServed() {
        Nearby nearby = new Nearby();
        InterestRegion region = nearby.of(client(1));
        nearby.moved(client(1), 1000, 0, 0);
        nearby.moved(client(2), 2000, 0, 0); // does nothing, because this client has not joined
        assertThat(region.importance(1, 0, 1000, 0, 0)).isPositive();
        assertThat(region.importance(1, 0, 0, 0, 0)).isZero();
        assertThat(nearby.regions).hasSize(1);
    }

    private static InetSocketAddress client(int port) {
        return InetSocketAddress.createUnresolved("client", port);
    }
}
