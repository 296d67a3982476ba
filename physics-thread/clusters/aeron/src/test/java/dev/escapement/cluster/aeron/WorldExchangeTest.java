package dev.escapement.cluster.aeron;

import static dev.escapement.cluster.aeron.ModelCluster.RUN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.state.Await;
import dev.escapement.state.time.ManualClock;
import io.aeron.cluster.RecordingLog;
import io.aeron.cluster.service.ClusteredService;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.agrona.CloseHelper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class WorldExchangeTest {

    private static final List<String> HOSTS = List.of("localhost", "localhost", "localhost");
    private static final int FIRST_PORT = 23400;
    private static final UUID WORLD = new UUID(11, 12);
    private static final int LOG = 1;
    private static final int LOG_AND_LEADER = 3;

    @TempDir
    private Path folder;

    private final ManualClock clock = new ManualClock(0);
    private final BlockingQueue<String> log = new LinkedBlockingQueue<>();
    private final AtomicBoolean hasLeader = new AtomicBoolean();
    private final List<NodeFolder> opens = new ArrayList<>();

    private ClusterNode node() {
        return new ClusterNode(0, HOSTS, FIRST_PORT, folder, RUN, 7_000_000, Failover.DEFAULT);
    }

    private WorldExchange exchange(NodeFolder of) throws IOException {
        return new WorldExchange(node(), of, hasLeader::get, clock, log::add);
    }

    private NodeFolder folder(boolean named, boolean hasLog) throws IOException {
        if (hasLog) {
            File cluster =
                    Files.createDirectories(folder.resolve("log/cluster")).toFile();
            try (RecordingLog notes = new RecordingLog(cluster, true)) {
                notes.appendTerm(1, 0, 0, 0);
            }
        }
        NodeFolder opened = new NodeFolder(folder);
        opens.add(opened);
        if (named) {
            opened.keep(WORLD);
        }
        opened.read();
        return opened;
    }

    @AfterEach
    void unlock() {
        CloseHelper.closeAll(opens);
    }

    private static byte[] answer(int by, int has, UUID world) {
        return ByteBuffer.allocate(WorldExchange.BYTES)
                .put(new byte[] {'E', 's', 'c', ClusterNode.FORMAT_VERSION, (byte) by, (byte) has})
                .putLong(world.getMostSignificantBits())
                .putLong(world.getLeastSignificantBits())
                .array();
    }

    /** Another node, which the tested node asks. */
    private final class Peer implements AutoCloseable {
        private final ServerSocket server = new ServerSocket();

        Peer(int number) throws IOException {
            server.setReuseAddress(true);
            server.bind(node().worldAddress(number));
        }

        void answer(byte[] bytes) throws IOException {
            try (Socket asked = server.accept()) {
                asked.getOutputStream().write(bytes);
            }
        }

        @Override
        public void close() throws IOException {
            server.close();
        }
    }

    private byte[] ask() throws IOException {
        try (Socket asks = new Socket()) {
            asks.connect(node().worldAddress(0));
            return asks.getInputStream().readAllBytes();
        }
    }

    private static void awaitJoin(WorldExchange exchange) {
        Await.until(exchange::tryToJoin);
    }

    /** Waits for a log line. The line about the missing nodes changes with each answer, so other lines may come before the expected one. */
    private void expectAmongOthers(WorldExchange exchange, String line) throws InterruptedException {
        String said;
        do {
            assertThat(exchange.tryToJoin()).isFalse();
            said = log.poll(1, TimeUnit.MILLISECONDS);
        } while (said == null || !said.contains(line));
    }

    @Test
    void eachNodeIsToldTheWorldAlsoLater() throws Exception {
        try (Peer first = new Peer(1);
                WorldExchange exchange = exchange(folder(true, true))) {
            assertThat(ask()).isEqualTo(answer(0, LOG, WORLD));
            first.answer(answer(1, LOG, WORLD));
            awaitJoin(exchange);
            hasLeader.set(true);
            assertThat(ask()).isEqualTo(answer(0, LOG_AND_LEADER, WORLD));
            assertThat(log).isEmpty();
        }
        try (NodeFolder unnamedFolder = new NodeFolder(folder.resolve("none"));
                WorldExchange unnamed = exchange(unnamedFolder)) {
            assertThat(unnamed.tryToJoin()).isFalse();
            assertThat(ask()).isEqualTo(answer(0, 2, new UUID(0, 0)));
        }
    }

    @Test
    void whatIsNoAnswerIsIgnoredWithOneSentence() throws Exception {
        byte[] right = answer(1, LOG, WORLD);
        byte[] otherVersion = right.clone();
        otherVersion[3]--;
        try (Peer first = new Peer(1);
                WorldExchange exchange = exchange(folder(true, true))) {
            first.answer("HTTP/1.1 400 Bad Request\r\n".getBytes(StandardCharsets.US_ASCII));
            first.answer(otherVersion);
            first.answer(Arrays.copyOf(right, right.length - 1));
            first.answer(Arrays.copyOf(right, right.length + 1));
            first.answer(answer(0, LOG, WORLD));
            assertThat(exchange.tryToJoin()).isFalse();
            first.answer(right);
            awaitJoin(exchange);
            InetSocketAddress address = node().worldAddress(1);
            assertThat(log)
                    .containsExactly(
                            "ignores what " + address + " answers: it is not node 1 in this version; has another"
                                    + " program that port, another node that number, or the node another version of"
                                    + " Escapement?");
        }
    }

    /** A late answer does not count, because the node may have lost its log since. */
    @Test
    void anAnswerThatComesLateDoesNotCount() throws Exception {
        try (Peer first = new Peer(1);
                WorldExchange exchange = exchange(folder(true, true))) {
            try (Socket asked = first.server.accept()) {
                clock.advance(WorldVotes.ANSWER_NANOS + 1);
                asked.getOutputStream().write(answer(1, LOG, WORLD));
            }
            try (Socket again = first.server.accept()) { // the exchange has read the first answer
                assertThat(exchange.tryToJoin()).isFalse();
                again.getOutputStream().write(answer(1, LOG, WORLD));
            }
            awaitJoin(exchange);
        }
    }

    @Test
    void aHostThatIsUnknownIsNamed() throws Exception {
        ClusterNode misspelt = new ClusterNode(
                0, List.of("localhost", "no.such.invalid", "localhost"), FIRST_PORT, folder, RUN, 1, Failover.DEFAULT);
        try (WorldExchange exchange =
                new WorldExchange(misspelt, folder(true, true), hasLeader::get, clock, log::add)) {
            expectAmongOthers(exchange, "cannot ask node 1 for its world: the host no.such.invalid is unknown");
        }
    }

    @Test
    void aNodeWithoutAMajoritySaysForWhomItWaits() throws Exception {
        UUID other = new UUID(13, 14);
        try (Peer first = new Peer(1);
                WorldExchange exchange = exchange(folder(true, false))) {
            clock.advance(WorldVotes.ANSWER_NANOS);
            first.answer(answer(1, LOG, other));
            expectAmongOthers(
                    exchange,
                    "waits, because no majority has a log of the same world: node 0 has " + WORLD
                            + ", but no log, node 1 has " + other + ", node 2 does not answer; start the others");
            first.answer(answer(1, LOG, WORLD));
            try (Peer second = new Peer(2)) {
                second.answer(answer(2, LOG_AND_LEADER, WORLD));
                expectAmongOthers(exchange, "waits, because the others have no leader yet: ");
                first.answer(answer(1, LOG_AND_LEADER, WORLD));
                awaitJoin(exchange);
            }
        }
    }

    @Test
    void aNodeOfAnotherWorldThanMostChangesNothing() throws Exception {
        folder(true, true).close();
        byte[] before = Files.readAllBytes(folder.resolve("log/cluster/recording.log"));
        UUID other = new UUID(13, 14);
        try (Peer first = new Peer(1);
                Peer second = new Peer(2)) {
            CompletableFuture<Void> joins = CompletableFuture.runAsync(() -> {
                try (AeronNode node = new AeronNode(
                        node(),
                        new NodeFolder(folder),
                        0,
                        new ClusterTime(clock, 0),
                        ModelCluster.only(ClusteredService.class, (asked, arguments) -> null),
                        log::add)) {
                    Await.until(node::tryToJoin);
                }
            });
            first.answer(answer(1, LOG, other));
            second.answer(answer(2, LOG, other));
            assertThat(joins)
                    .failsWithin(30, TimeUnit.SECONDS)
                    .withThrowableThat()
                    .withMessageContaining("most nodes have world " + other + ", but " + folder
                            + " has another one, so node 0 ends and changes nothing");
        }
        assertThat(folder.resolve("world")).hasContent("" + WORLD);
        assertThat(folder.resolve("log").toFile().list()).containsExactly("cluster");
        assertThat(folder.resolve("log/cluster/recording.log")).hasBinaryContent(before);
    }

    @Test
    void aNodeThatCannotKeepTheWorldDoesNotJoin() throws Exception {
        Files.createDirectories(folder.resolve("world.next"));
        try (Peer first = new Peer(1);
                Peer second = new Peer(2);
                WorldExchange exchange = exchange(folder(false, false))) {
            first.answer(answer(1, LOG_AND_LEADER, WORLD));
            second.answer(answer(2, LOG_AND_LEADER, WORLD));
            assertThatThrownBy(() -> awaitJoin(exchange))
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining("the identity of the world cannot be kept in " + folder.resolve("world"));
            assertThat(ask()).isEqualTo(answer(0, 0, new UUID(0, 0)));
        }
    }
}
