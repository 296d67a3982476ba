package example.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The example in one process instead of five. */
@Timeout(60)
class FleetTest {

    private static final int WORLDS = 3;

    private static String freeChannel() throws IOException {
        try (DatagramSocket probe = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            return "aeron:udp?control=localhost:" + probe.getLocalPort();
        }
    }

    @Test
    void shouldShowAllWorldsToManyThroughARelay() throws IOException {
        String near = freeChannel();
        String far = freeChannel();
        try (WorldServer server = new WorldServer(near, WORLDS, 5);
                Viewers relay = new Viewers(near, WORLDS, WORLDS, far);
                Viewers viewers = new Viewers(far, WORLDS, 2 * WORLDS, null)) {
            while (viewers.pictures() < 2 * WORLDS) {
                relay.frame();
                viewers.frame();
            }
            assertThat(relay.pictures()).isEqualTo(WORLDS);
            assertThat(server.failure().or(relay::failure).or(viewers::failure)).isEmpty();
            assertThat(viewers.report()).startsWith("6 of 6 pictures, ");
        }
    }
}
