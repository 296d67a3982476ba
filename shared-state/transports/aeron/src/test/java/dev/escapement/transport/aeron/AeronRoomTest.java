package dev.escapement.transport.aeron;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.escapement.state.wire.SnapshotReceiver;
import io.aeron.driver.reports.LossReportUtil;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Tests a driver whose folder gets full. */
class AeronRoomTest extends AeronWorldFixture {

    private static final int MB = 1 << 20;

    private AeronDriver own = driver;
    private long leftBytes;

    @BeforeEach
    void open() {
        own = AeronDriver.embedded();
        opened.push(own);
        own.roomBytes = () -> leftBytes;
    }

    @Test
    void shouldRefuseASenderThatDoesNotFit() throws IOException {
        String channel = free("aeron:udp?endpoint=localhost:PORT");
        leftBytes = 6 * MB;
        assertThatIllegalArgumentException()
                .isThrownBy(() -> sendTo(channel))
                .withMessage("the Aeron channel " + channel + " cannot be sent to: " + own.directory()
                        + " has 6 MB left, of which receivers that wait for senders need 0, but the stream needs 6; make"
                        + " room there (Docker: --shm-size=256m), or start Java with -Daeron.dir=FOLDER/aeron to use"
                        + " another folder, or add |term-length=256k to the channel, if bursts are small");
        sendTo(channel + "|term-length=1m");
        leftBytes = 7 * MB;
        sendTo(channel + "|alias=whole");
    }

    @Test
    void shouldRefuseAReceiverWhoseSenderWillNotFit() throws IOException {
        leftBytes = 13 * MB;
        String first = free("aeron:udp?endpoint=localhost:PORT");
        SnapshotReceiver firstReceiver = receiveFrom(first);
        receiveFrom(free("aeron:udp?endpoint=localhost:PORT"));
        String third = free("aeron:udp?endpoint=localhost:PORT");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> receiveFrom(third))
                .withMessageContaining(" cannot be received from: ")
                .withMessageContaining(" has 13 MB left, of which receivers that wait for senders need 12, but");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> sendTo(first))
                .withMessageContaining(" cannot be sent to: ");
        receiveFrom("aeron:ipc"); // needs no buffers of its own
        leftBytes = 19 * MB;
        sendTo(first); // there is room besides the reserved buffers of both receivers
        tickUntil(firstReceiver::isReady);
        leftBytes = 13 * MB;
        receiveFrom(third); // the first receiver has its buffers now, and reserves nothing
    }

    /** Receivers of one channel share a buffer, which is reserved once. */
    @Test
    void shouldSetAsideWhatEachChannelNeeds() throws IOException {
        leftBytes = 7 * MB;
        receiveFrom(free("aeron:udp?endpoint=localhost:PORT|term-length=256k"));
        String channel = free("aeron:udp?endpoint=localhost:PORT");
        receiveFrom(channel);
        receiveFrom(channel);
        leftBytes = 20 * MB;
        receiveFrom(free("aeron:udp?endpoint=localhost:PORT|term-length=4m"));
        String small = free("aeron:udp?endpoint=localhost:PORT|term-length=1m");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> receiveFrom(small))
                .withMessageContaining(
                        " has 20 MB left, of which receivers that wait for senders need 18, but the stream needs 3;");
    }

    /** The driver's folder no longer exists, but the message must name the closed driver as the reason. */
    @Test
    void shouldSayThatTheDriverIsClosed() throws IOException {
        String channel = free("aeron:udp?endpoint=localhost:PORT");
        own.close();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> receiveFrom(channel))
                .withMessage("the Aeron channel " + channel + " cannot be received from: Aeron client is closed");
    }

    /** The driver fills buffers in advance: a write to a buffer without allocated room ends it when the folder is full. */
    @Test
    @EnabledOnOs(OS.LINUX) // uses a command that shows the size of a file on disk
    void shouldFillTheBuffersAndTheLossReport() throws IOException {
        assertThat(takenBytes(own.directory().resolve(LossReportUtil.LOSS_REPORT_FILE_NAME)))
                .isEqualTo(MB);
        leftBytes = 7 * MB;
        sendTo(free("aeron:udp?endpoint=localhost:PORT"));
        try (Stream<Path> files = Files.walk(own.directory())) {
            Path log = files.filter(file -> file.toString().endsWith(".logbuffer"))
                    .findFirst()
                    .orElseThrow();
            assertThat(takenBytes(log)).isEqualTo(3 * StreamChannel.TERM_BYTES + 4096);
        }
    }

    private static long takenBytes(Path file) throws IOException {
        Process blocks = new ProcessBuilder("stat", "-c", "%b", file.toString()).start();
        String count = new String(blocks.getInputStream().readAllBytes(), US_ASCII);
        return 512 * Long.parseLong(count.strip());
    }

    private void sendTo(String channel) {
        opened.push(AeronSender.start(own, channel, newSender(1), clock));
    }

    private SnapshotReceiver receiveFrom(String channel) {
        SnapshotReceiver receiver = newReceiver();
        opened.push(AeronReceiver.start(own, channel, receiver, clock));
        return receiver;
    }
}
