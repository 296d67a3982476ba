package example.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.wire.InterestRegion;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

class NearbyTest {

    private final Nearby nearby = new Nearby();

    @Test
    void shouldMoveTheRegionOfAClientThatIsServed() {
        InterestRegion region = nearby.of(client(1));
        nearby.moved(client(1), 1000, 0, 0);
        nearby.moved(client(2), 2000, 0, 0); // this client has not joined
        assertThat(region.importance(1, 0, 1000, 0, 0)).isPositive();
        assertThat(region.importance(1, 0, 0, 0, 0)).isZero();
        assertThat(nearby.regions).hasSize(1);
    }

    private static InetSocketAddress client(int port) {
        return InetSocketAddress.createUnresolved("client", port);
    }
}
