package dev.escapement.cluster.aeron;

import static dev.escapement.cluster.aeron.ModelCluster.RUN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.NanoClock;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Over loopback, with bytes that nodes send, and with others. */
@Timeout(60)
class WorldExchangeTest {

    private static final List<String> HOSTS = List.of("localhost", "localhost", "localhost");
    private static final int FIRST_PORT = 23400;
    private static final int KIND = 4;
    private static final int NUMBER = 5;
    private static final int HAS = 6;
    private static final int QUESTION = 7;
    private static final UUID WORLD = new UUID(11, 12);

    @TempDir
    private Path folder;

    private final ManualClock clock = new ManualClock(0); // so that each node is asked once
    private final BlockingQueue<String> log = new LinkedBlockingQueue<>();

    private ClusterNode node(int number) {
        return new ClusterNode(number, HOSTS, FIRST_PORT, folder, RUN, 7_000_000, Failover.DEFAULT);
    }

    private final AtomicBoolean hasLeader = new AtomicBoolean();

    private WorldExchange exchange(UUID world) throws IOException {
        WorldIdentity identity = new WorldIdentity(folder);
        identity.note(world);
        identity.read(true);
        return new WorldExchange(node(0), identity, hasLeader::get, clock, log::add);
    }

    private DatagramSocket socket(int number) throws IOException {
        DatagramSocket socket = new DatagramSocket(node(0).worldAddress(number));
        socket.setSoTimeout(20_000);
        return socket;
    }

    private static byte[] receive(DatagramSocket from) throws IOException {
        DatagramPacket packet = new DatagramPacket(new byte[100], 100);
        from.receive(packet);
        return Arrays.copyOf(packet.getData(), packet.getLength());
    }

    private void send(DatagramSocket from, byte[] bytes) throws IOException {
        from.send(new DatagramPacket(bytes, bytes.length, node(0).worldAddress(0)));
    }

    /** A message like a given one, with another byte somewhere. */
    private static byte[] with(byte[] message, int at, int value) {
        byte[] other = message.clone();
        other[at] = (byte) value;
        return other;
    }

    private static byte[] answer(byte[] question, int by, UUID world) {
        byte[] answer = with(with(with(question, KIND, 1), NUMBER, by), HAS, 1);
        ByteBuffer.wrap(answer)
                .putLong(QUESTION + 8, world.getMostSignificantBits())
                .putLong(QUESTION + 16, world.getLeastSignificantBits());
        return answer;
    }

    private void expectLog(String line) throws InterruptedException {
        assertThat(log.poll(20, TimeUnit.SECONDS)).contains(line);
    }

    /** The sentence about whom a node waits for changes with each answer. */
    private void expectAmongOthers(String line) throws InterruptedException {
        while (!Objects.requireNonNull(log.poll(20, TimeUnit.SECONDS), line).contains(line)) {
            // another one
        }
    }

    @Test
    void eachBadMessageIsIgnoredWithOneSentence() throws Exception {
        try (DatagramSocket first = socket(1);
                DatagramSocket second = socket(2);
                WorldExchange exchange = exchange(WORLD)) {
            byte[] question = receive(first);
            assertThat(question).hasSize(WorldExchange.BYTES);
            byte[] another = receive(second);
            for (int twice = 0; twice < 2; twice++) {
                send(first, "GET / HTTP/1.1".getBytes(StandardCharsets.US_ASCII));
                send(first, with(question, 3, 2));
                send(first, Arrays.copyOf(question, 20));
                send(first, Arrays.copyOf(question, 90));
                send(first, with(question, NUMBER, 9));
                send(first, with(question, NUMBER, -1));
                send(first, question);
                send(first, with(with(question, NUMBER, 1), KIND, 3));
                send(first, with(answer(question, 1, WORLD), QUESTION, question[QUESTION] + 1));
                send(first, answer(another, 1, WORLD));
            }
            assertThat(log.poll(20, TimeUnit.SECONDS))
                    .startsWith("ignores a message of 127.0.0.1 about its world: ")
                    .contains("none of a node; has another program the ports of this cluster?");
            expectLog("it is of version 2, but this is version 1; give all nodes the same version of Escapement");
            expectLog("it is of a node 9, but this is node 0 of 3; give each node its own number");
            expectLog("it is of a node -1, but");
            expectLog("it is of a node 0, but this is node 0 of 3");
            expectLog("it answers no question of this process, because it is late, replayed or forged");
            assertThat(exchange.mayJoin(0)).isFalse();
            send(first, answer(question, 1, WORLD));
            assertThat(exchange.mayJoin(20_000_000_000L)).isTrue();
            assertThat(log).as("each once").isEmpty();
        }
    }

    @Test
    void anyNumberOfBadMessagesIsLoggedABoundedNumberOfTimes() throws Exception {
        try (DatagramSocket first = socket(1);
                WorldExchange exchange = exchange(WORLD)) {
            byte[] question = receive(first);
            for (int version = 2; version < 120; version++) {
                send(first, with(question, 3, version));
            }
            send(first, answer(question, 1, WORLD));
            assertThat(exchange.mayJoin(20_000_000_000L)).isTrue();
            assertThat(log).hasSize(32);
        }
    }

    /** Before and after it has joined. */
    @Test
    void aNodeAnswersAndNamesThoseOfAnotherWorld() throws Exception {
        try (DatagramSocket first = socket(1);
                DatagramSocket second = socket(2);
                WorldExchange exchange = exchange(WORLD)) {
            byte[] question = receive(first);
            byte[] asks = with(answer(question, 2, new UUID(3, 4)), KIND, 0);
            send(second, asks);
            assertThat(receive(second)).as("its own question").isNotEqualTo(question);
            assertThat(receive(second)).isEqualTo(answer(asks, 0, WORLD));
            expectLog("has world " + WORLD + ", but node 2 has " + new UUID(3, 4));
            send(first, answer(question, 1, WORLD));
            assertThat(exchange.mayJoin(20_000_000_000L)).isTrue();
            hasLeader.set(true);
            send(second, asks);
            assertThat(receive(second)).isEqualTo(with(answer(asks, 0, WORLD), HAS, 3));
        }
    }

    /** By a node that has lost its log since, for example. */
    @Test
    void anAnswerThatComesLateOrAfterARestartDoesNotCount() throws Exception {
        try (DatagramSocket first = socket(1)) {
            byte[] question;
            try (WorldExchange exchange = exchange(WORLD)) {
                question = receive(first);
                clock.advance(WorldVotes.ANSWER_NANOS + 1);
                send(first, answer(question, 1, WORLD));
                expectLog("it answers no question of this process, because it is late, replayed or forged");
                question = receive(first);
                assertThat(exchange.mayJoin(0)).isFalse();
            }
            log.clear();
            try (WorldExchange again = exchange(WORLD)) {
                byte[] another = receive(first);
                send(first, answer(question, 1, WORLD));
                expectLog("it answers no question of this process");
                assertThat(again.mayJoin(0)).isFalse();
                send(first, answer(another, 1, WORLD));
                assertThat(again.mayJoin(20_000_000_000L)).isTrue();
            }
        }
    }

    @Test
    void forWhomANodeWaitsIsAlwaysSaid() throws Exception {
        try (DatagramSocket first = socket(1);
                WorldExchange exchange = exchange(WORLD)) {
            byte[] question = receive(first);
            for (int version = 2; version < 120; version++) {
                send(first, with(question, 3, version));
            }
            send(first, with(answer(question, 1, WORLD), HAS, 0));
            clock.advance(WorldVotes.ANSWER_NANOS);
            expectAmongOthers("waits, because no majority has a log of the same world: node 0 has " + WORLD
                    + ", node 1 has "
                    + WORLD + ", but no log, node 2 does not answer; start the others, or if the logs of a majority are"
                    + " lost, copy the folder with the newest one to them, or empty all to begin another world");
            assertThat(exchange.mayJoin(0)).isFalse();
        }
    }

    /** Its process was killed while it joined, or its log was deleted and its file not. */
    @Test
    void aNodeWithoutItsLogWaitsForALeader() throws Exception {
        WorldIdentity identity = new WorldIdentity(folder);
        identity.note(WORLD);
        try (DatagramSocket first = socket(1);
                DatagramSocket second = socket(2);
                WorldExchange exchange = new WorldExchange(node(0), identity, () -> false, clock, log::add)) {
            byte[] question = receive(first);
            send(first, answer(question, 1, WORLD));
            byte[] another = receive(second);
            send(second, with(answer(another, 2, WORLD), HAS, 3));
            clock.advance(WorldVotes.ANSWER_NANOS);
            expectAmongOthers(
                    "waits, because the others have no leader yet: node 0 has " + WORLD + ", but no log, node 1 has");
            assertThat(exchange.hearsLeader()).isTrue();
            assertThat(exchange.mayJoin(0)).isFalse();
            send(first, with(answer(receive(first), 1, WORLD), HAS, 3));
            send(second, with(answer(receive(second), 2, WORLD), HAS, 3));
            assertThat(exchange.mayJoin(20_000_000_000L)).isTrue();
        }
    }

    @Test
    void aLogWithoutItsFileIsRefusedByANamedWorld() throws Exception {
        WorldIdentity identity = new WorldIdentity(folder);
        identity.read(true);
        try (DatagramSocket first = socket(1);
                DatagramSocket second = socket(2);
                WorldExchange exchange = new WorldExchange(node(0), identity, () -> false, clock, log::add)) {
            send(first, answer(receive(first), 1, WORLD));
            send(second, answer(receive(second), 2, WORLD));
            assertThatIllegalStateException()
                    .isThrownBy(() -> exchange.mayJoin(20_000_000_000L))
                    .withMessageContaining("most nodes have world " + WORLD + ", but " + folder
                            + " has a log and no file that names its world (if it is the same, copy that file there), so"
                            + " node 0 ends and changes nothing");
            assertThat(identity.known()).isNull();
        }
    }

    @Test
    void aNodeAlsoAsksWhileMessagesComeOften() throws Exception {
        AtomicLong nanos = new AtomicLong();
        try (DatagramSocket first = socket(1);
                WorldExchange exchange = new WorldExchange(
                        node(0), new WorldIdentity(folder), () -> false, () -> nanos.addAndGet(1_000_000), log::add)) {
            byte[] asks = with(with(receive(first), KIND, 0), NUMBER, 1);
            int questions = 0;
            for (int message = 0; message < 500; message++) {
                send(first, asks);
                while (receive(first)[KIND] == 0) {
                    questions++;
                }
            }
            assertThat(questions).isGreaterThanOrEqualTo(500 / 50 - 1);
            assertThat(exchange.mayJoin(0)).isFalse();
        }
    }

    /** With a full disk, for example. */
    @Test
    void aNodeThatCannotKeepTheWorldStillAnswers() throws Exception {
        Files.createDirectories(folder.resolve("world.next"));
        try (DatagramSocket first = socket(1);
                DatagramSocket second = socket(2);
                WorldExchange exchange =
                        new WorldExchange(node(0), new WorldIdentity(folder), () -> false, clock, log::add)) {
            send(first, with(answer(receive(first), 1, WORLD), HAS, 3));
            byte[] question = receive(second);
            send(second, with(answer(question, 2, WORLD), HAS, 3));
            expectLog("cannot compare its world with that of others: ");
            byte[] asks = with(answer(question, 2, WORLD), KIND, 0);
            send(second, asks);
            byte[] next = receive(second);
            while (next[KIND] == 0) { // its own questions
                next = receive(second);
            }
            assertThat(next).isEqualTo(with(answer(asks, 0, new UUID(0, 0)), HAS, 0));
            assertThat(exchange.mayJoin(0)).isFalse();
        }
    }

    @Test
    void anErrorEndsTheWaitAndIsSaid() throws Exception {
        AtomicBoolean fails = new AtomicBoolean();
        NanoClock failing = () -> {
            if (fails.get()) {
                throw new LinkageError("broken");
            }
            return 0;
        };
        try (WorldExchange exchange =
                new WorldExchange(node(0), new WorldIdentity(folder), () -> false, failing, log::add)) {
            fails.set(true);
            assertThatIllegalStateException()
                    .isThrownBy(() -> exchange.mayJoin(20_000_000_000L))
                    .withMessageContaining("can no longer compare its world with others")
                    .withMessageContaining("broken");
            expectLog("broken");
        }
    }

    @Test
    void aNodeThatMostDoNotHaveTheWorldOfIsRefused() throws Exception {
        UUID most = new UUID(3, 4);
        try (DatagramSocket first = socket(1);
                DatagramSocket second = socket(2);
                WorldExchange exchange = exchange(WORLD)) {
            send(first, answer(receive(first), 1, most));
            send(second, answer(receive(second), 2, most));
            assertThatIllegalStateException()
                    .isThrownBy(() -> exchange.mayJoin(20_000_000_000L))
                    .withMessage("most nodes have world " + most + ", but " + folder
                            + " has another one, so node 0 ends and changes nothing; start it with its own folder, or an"
                            + " empty one: node 0 has " + WORLD + ", node 1 has " + most + ", node 2 has " + most);
        }
    }
}
