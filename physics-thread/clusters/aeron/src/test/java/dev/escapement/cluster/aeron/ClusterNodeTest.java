package dev.escapement.cluster.aeron;

import static dev.escapement.cluster.aeron.ModelCluster.RUN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.escapement.state.Await;
import dev.escapement.state.internal.ThreadEnd;
import dev.escapement.state.time.NanoClock;
import io.aeron.cluster.service.ClusteredService;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class ClusterNodeTest {

    private static final List<String> HOSTS = List.of("a", "b", "c");

    @TempDir
    private Path folder;

    @Test
    void eachNodeHasPortsOfItsOwn() {
        ClusterNode node = new ClusterNode(1, HOSTS, 3000, folder, RUN, 5_000_000, Failover.DEFAULT);
        assertThat(node.members())
                .isEqualTo("0,a:3000,a:3001,a:3002,a:3003,a:3004|1,b:3010,b:3011,b:3012,b:3013,b:3014"
                        + "|2,c:3020,c:3021,c:3022,c:3023,c:3024");
        assertThat(ClusterNode.ingressEndpoints(HOSTS, 3000)).isEqualTo("0=a:3000,1=b:3010,2=c:3020");
        assertThat(node.archiveEndpoint()).isEqualTo("b:3014");
    }

    @Test
    void badNumbersAreRefusedWithTheirValues() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ClusterNode.of(0, List.of("a", "b"), folder, RUN))
                .withMessageContaining("1, 3 or 5 nodes, but these are 2: [a, b]");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ClusterNode.of(3, HOSTS, folder, RUN))
                .withMessageContaining("numbers 0 to 2, but this is to be node 3");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ClusterNode(0, HOSTS, 65_510, folder, RUN, 1, Failover.DEFAULT))
                .withMessageContaining("10 each from 65510 on");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ClusterNode(0, HOSTS, 3000, folder, RUN, 0, Failover.DEFAULT))
                .withMessageContaining("is 0 ns");
    }

    @Test
    void aPortThatIsTakenIsRefused() throws IOException {
        ClusterNode node = ClusterNode.of(0, List.of("localhost"), folder, RUN);
        try (DatagramSocket taken =
                new DatagramSocket(new InetSocketAddress("localhost", ClusterNode.FIRST_PORT + 2))) {
            assertThat(taken.isBound()).isTrue();
            assertThatIllegalStateException()
                    .isThrownBy(node::requirePorts)
                    .withMessageContaining("UDP port 20302 of localhost, which node 0 needs, cannot be had");
        }
        try (ServerSocket taken = new ServerSocket(ClusterNode.FIRST_PORT + 5, 1, InetAddress.getByName("localhost"))) {
            assertThat(taken.isBound()).isTrue();
            assertThatIllegalStateException()
                    .isThrownBy(node::requirePorts)
                    .withMessageContaining("TCP port 20305 of localhost, which node 0 needs, cannot be had");
        }
    }

    /** A node that is closed while it joins starts no parts. A copy of the leader's state may take longer than {@code close} waits. */
    @Test
    @Timeout(60)
    void aNodeThatLeavesWhileItJoinsStartsNothing() throws IOException {
        List<String> hosts = List.of("localhost", "localhost", "localhost");
        ClusterNode first = ClusterNode.of(0, hosts, folder.resolve("0"), RUN);
        ClusteredService none = ModelCluster.only(ClusteredService.class, (asked, arguments) -> null);
        ClusterTime time = new ClusterTime(NanoClock.system(), 0);
        NanoClock clock = NanoClock.system();
        try (AeronNode node = new AeronNode(first, new NodeFolder(first.folder()), 0, time, none, line -> {});
                NodeFolder other = new NodeFolder(folder.resolve("1"));
                WorldExchange peer = new WorldExchange(
                        ClusterNode.of(1, hosts, folder.resolve("1"), RUN), other, () -> false, clock, line -> {})) {
            node.stopJoining();
            Await.until(() -> {
                peer.tryToJoin();
                assertThat(node.tryToJoin()).isFalse();
                return first.folder().resolve("log/archive").toFile().exists();
            });
        }
    }

    /** A node's {@code close} returns even if one of Aeron's threads does not end. Aeron itself would wait without a limit. */
    @Test
    @Timeout(60)
    void closingEndsAlsoIfAThreadDoesNot() throws InterruptedException {
        CountDownLatch reached = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        ClusteredService stuck = ModelCluster.only(ClusteredService.class, (asked, arguments) -> {
            reached.countDown();
            ThreadEnd.await(release, Long.MAX_VALUE / 2); // waits even if it is interrupted
            return null;
        });
        Queue<String> log = new ConcurrentLinkedQueue<>();
        ClusterTime time = new ClusterTime(NanoClock.system(), 0);
        AeronNode node = new AeronNode(
                ClusterNode.of(0, List.of("localhost"), folder, RUN), new NodeFolder(folder), 0, time, stuck, log::add);
        try {
            assertThat(reached.await(30, TimeUnit.SECONDS)).isTrue();
            node.close();
            assertThat(log)
                    .anySatisfy(line ->
                            assertThat(line).contains("node 0 does not end; " + folder + " cannot be used again"));
        } finally {
            release.countDown();
            node.close();
        }
    }
}
