package dev.escapement.transport.aeron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.escapement.state.ChildJvm;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.wire.ReceiverMetric;
import dev.escapement.state.wire.SnapshotReceiver;
import io.aeron.ExclusivePublication;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.protocol.DataHeaderFlyweight;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests senders, receivers and drivers. */
class AeronStreamTest extends AeronWorldFixture {

    @ParameterizedTest
    @ValueSource(
            strings = {"aeron:ipc?stream-id=7", "aeron:udp?endpoint=localhost:PORT", "aeron:udp?control=localhost:PORT"
            })
    void shouldShowAWorldAndFindARestartedSender(String where) throws IOException {
        String channel = free(where);
        boolean isMany = !channel.contains("endpoint");
        SnapshotReceiver second = newReceiver();
        AeronReceiver one = receive(channel, receiver);
        if (isMany) {
            receive(channel, second);
        }
        AeronSender sender = send(channel, 1);
        tickUntilShown(receiver, 1);
        if (isMany) {
            tickUntilShown(second, 1);
        }
        // Perhaps not 0, because Aeron may have no room at the start.
        assertThat(sender.counts()).containsKey("cut-ticks");
        assertThat(sender.failure()).isEmpty();
        assertThat(one.counts()).containsEntry("images", 1L);
        sender.close();
        AeronSender next = send(channel, 2);
        tickUntilShown(receiver, world.ticks() + 5);
        assertThat(next.packets()).isPositive();
        assertThat(receiver.metric(ReceiverMetric.STREAMS)).isEqualTo(2);
        assertThat(receiver.metric(ReceiverMetric.LOST_PACKETS)).isZero();
        assertThat(one.failure()).isEmpty();
        assertThat(one.packets()).isPositive();
        assertThat(one.latencyNanos().getTotalCount()).isPositive();
    }

    /**
     * Receivers do not reassemble packets, so each packet must be one datagram that fits an MTU of 1,280 bytes with 48 bytes of IPv6 and
     * UDP headers. Another program's driver has Aeron's larger default, and would lose packets where the MTU is small.
     */
    @ParameterizedTest
    @ValueSource(strings = {"aeron:ipc", "aeron:udp?endpoint=localhost:PORT"})
    void shouldSendAPacketAsOneDatagramByAnyDriver(String where) throws IOException {
        MediaDriver.Context settings = AeronDriver.newContext();
        try (MediaDriver other =
                        MediaDriver.launchEmbedded(settings.mtuLength(1408).ipcMtuLength(1408));
                AeronDriver connected = AeronDriver.existing(Path.of(other.aeronDirectoryName()));
                ExclusivePublication stream = connected.publish(StreamChannel.of(free(where)))) {
            assertThat(stream.maxPayloadLength()).isEqualTo(AeronDriver.MTU_BYTES - DataHeaderFlyweight.HEADER_LENGTH);
        }
        assertThat(AeronDriver.MTU_BYTES + 48).isLessThanOrEqualTo(1280);
    }

    @Test
    void shouldNotLetAReceiverThatReadsNothingDelayAnother() {
        bodies = 3000;
        StreamChannel channel = StreamChannel.of("aeron:ipc?stream-id=9");
        AeronReceiver other = receive(channel.text(), receiver);
        try (Subscription stopped = driver.aeron().addSubscription(channel.ofReceiver(), 9)) {
            AeronSender sender = send(channel.text(), 1);
            tickUntil(() -> sender.counts().getOrDefault("cut-ticks", 0L) > 0);
            tickUntil(() -> stopped.hasNoImages());
            tickUntilShown(receiver, world.ticks());
            assertThat(other.failure()).isEmpty();
            assertThat(receiver.metric(ReceiverMetric.LOST_PACKETS)).isZero();
        }
    }

    /** All streams share one thread, but an error in one must not end the others. */
    @Test
    void shouldKeepAnErrorToTheStreamThatHasIt() {
        AtomicInteger calls = new AtomicInteger();
        NanoClock broken = () -> {
            if (calls.incrementAndGet() > 20) {
                throw new NoClassDefFoundError("planted");
            }
            return clock.nanoTime();
        };
        AeronReceiver failing = AeronReceiver.start(driver, "aeron:ipc?stream-id=13", newReceiver(), broken);
        opened.push(failing);
        AeronReceiver other = receive("aeron:ipc?stream-id=14", receiver);
        await(() -> failing.failure().isPresent());
        send("aeron:ipc?stream-id=14", 1);
        tickUntilShown(receiver, 1);
        assertThat(other.failure()).isEmpty();
        assertThat(failing.failure().orElseThrow()).hasMessage("planted");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "udp:localhost:1",
                "aeron:udp",
                "aeron:tcp?endpoint=localhost:1",
                "aeron:ipc?stream-id=x",
                "aeron:udp?endpoint=localhost:1|reliable=false",
                "aeron:udp?endpoint=localhost:1|term-length=2x",
                "aeron:ipc?term-length=99999999999g",
                "aeron:ipc?term-length="
            })
    void shouldSayWhatAChannelIs(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> receive(text, receiver))
                .withMessageContaining("'" + text + "' is no Aeron channel")
                .withMessageContaining("aeron:udp?endpoint=localhost:20121");
    }

    @Test
    void shouldSayInALineThatAPortIsTaken() throws IOException {
        try (DatagramSocket taken = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            String channel = "aeron:udp?endpoint=localhost:" + taken.getLocalPort();
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> receive(channel, receiver))
                    .withMessageMatching("the Aeron channel \\Q" + channel
                            + "\\E cannot be received from: Address already in use: [^()]*");
            String control = "aeron:udp?control=localhost:" + taken.getLocalPort();
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> send(control, 1))
                    .withMessageContaining(control + " cannot be sent to: Address already in use");
        }
    }

    @Test
    void shouldDeleteTheDirectoriesOfDeadProcessesOnly() throws IOException {
        Path own = driver.directory();
        Path dead = Files.createDirectories(own.resolveSibling(
                own.getFileName().toString().replaceFirst("-\\d+-[0-9a-f]+-\\d+$", "-999999999-1-1")));
        // All that remains of a process that was killed during its start.
        Files.write(dead.resolve("cnc.dat"), new byte[8192]);
        Path foreign = Files.createDirectories(own.resolveSibling(dead.getFileName() + "-other"));
        try (AeronDriver second = AeronDriver.embedded();
                AeronDriver connected = AeronDriver.existing(own)) {
            assertThat(dead).doesNotExist();
            assertThat(foreign).exists();
            assertThat(second.directory()).exists().isNotEqualTo(own);
            assertThat(connected.counts().keySet()).isEqualTo(driver.counts().keySet());
        } finally {
            Files.delete(foreign);
        }
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> AeronDriver.existing(dead))
                .withMessage("no Aeron driver of this version runs in " + dead);
    }

    @Test
    void shouldSayWhichFlagIsMissing() throws IOException, InterruptedException {
        assertThat(ChildJvm.output("-XX:TieredStopAtLevel=1", StartsADriver.class, ""))
                .isEqualTo("Aeron needs access to a package of the JDK; start Java with " + AeronDriver.ADD_OPENS);
    }

    /** Starts a driver in a JVM without {@link AeronDriver#ADD_OPENS}. */
    static final class StartsADriver {

        private StartsADriver() {}

        public static void main(String[] args) {
            try {
                AeronDriver.embedded().close();
            } catch (IllegalStateException e) {
                System.out.println(e.getMessage());
            }
        }
    }
}
