package dev.escapement.transport.aeron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.escapement.state.capture.CapturedWorld;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.exchange.Window;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.Waiting;
import dev.escapement.state.wire.ReceiverFigure;
import dev.escapement.state.wire.ReceiverSettings;
import dev.escapement.state.wire.SnapshotReceiver;
import dev.escapement.state.wire.SnapshotSender;
import dev.escapement.state.wire.WireFormat;
import io.aeron.ExclusivePublication;
import io.aeron.Subscription;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import java.util.function.BooleanSupplier;
import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A driver, threads and sockets of this machine; the clock stands still until a test moves it. */
@Timeout(20)
class AeronStreamTest {

    private static final long TICK_NANOS = 10_000_000;

    private static AeronDriver driver;

    private final ManualClock clock = new ManualClock(0);
    private final CapturedWorld world = new CapturedWorld(4, 1, PoseLayout.PLAIN);
    private int bodies = 50;
    private final SnapshotReceiver receiver = new SnapshotReceiver(ReceiverSettings.DEFAULT, clock);

    @TempDir
    Path folder;

    @BeforeAll
    static void launch() {
        driver = AeronDriver.embedded();
    }

    @AfterAll
    static void end() {
        driver.close();
        assertThat(driver.directory()).doesNotExist();
    }

    /** What a test has opened; the newest is closed first. */
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    @AfterEach
    void close() {
        CloseHelper.closeAll(opened);
        opened.clear();
    }

    private AeronSender send(String channel, int streamId) {
        SnapshotSender sender = new SnapshotSender(world.newReader(), WireFormat.EXACT, streamId);
        AeronSender stream = AeronSender.start(driver, channel, sender, clock);
        opened.push(stream);
        return stream;
    }

    private AeronReceiver receive(String channel, SnapshotReceiver to) {
        AeronReceiver stream = AeronReceiver.start(driver, channel, to, clock, null);
        opened.push(stream);
        return stream;
    }

    private AeronRecording record(String channel, SnapshotReceiver to) {
        AeronRecording recording = AeronRecording.open(folder, AeronRecording.STEP_BYTES);
        opened.push(recording);
        opened.push(AeronReceiver.start(driver, channel, to, clock, recording));
        return recording;
    }

    private SnapshotReceiver newReceiver() {
        return new SnapshotReceiver(ReceiverSettings.DEFAULT, clock);
    }

    /** The next tick: each body is where the number of the tick says. */
    private void tick() {
        clock.advance(TICK_NANOS);
        long tick = world.ticks() + 1;
        world.tick(poses -> {
            poses.bodyCount(bodies);
            for (int i = 0; i < bodies; i++) {
                poses.set(i, x(tick, i), i, 0, 0, 0, 0, 1);
            }
        });
    }

    private static float x(long tick, int body) {
        return (float) Math.sin(tick * 0.3 + body * body);
    }

    /** Runs ticks until something is reached. */
    private void tickUntil(BooleanSupplier reached) {
        while (!reached.getAsBoolean()) {
            assertThat(Thread.currentThread().isInterrupted()).as("timed out").isFalse();
            tick();
            Waiting.system().park(TICK_NANOS);
        }
    }

    /** Runs ticks until a receiver shows, as it was and not predicted, a tick at least so far on. */
    private void tickUntilShown(SnapshotReceiver by, long tick) {
        tickUntil(by::isReady);
        try (SnapshotReader reader = by.newReader()) {
            tickUntil(() -> trueTick(by, reader) >= tick);
        }
    }

    /** The newest tick that a receiver shows, with the poses of the world; -1 if it is predicted, or shows that another stream follows. */
    private long trueTick(SnapshotReceiver by, SnapshotReader reader) {
        reader.acquire();
        if (!reader.hasWindow()) {
            return -1;
        }
        Window window = reader.window();
        for (int i = 0; i < window.size(); i++) {
            assertThat(window.snapshot(i).tick()).isEqualTo(window.oldestTick() + i);
        }
        Snapshot newest = window.newest();
        if (newest.poses().slotCount() == 0 || newest.isPredicted()) {
            return -1;
        }
        long tick = newest.tick() - by.tickShift();
        int last = bodies - 1;
        assertThat(newest.poses().slotCount()).isEqualTo(bodies);
        assertThat(newest.poses().block(last >>> PoseBlock.SHIFT).px[last & PoseBlock.MASK])
                .isEqualTo(x(tick, last));
        return tick;
    }

    private static String free(String channel) throws IOException {
        try (DatagramSocket probe = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            return channel.replace("PORT", Integer.toString(probe.getLocalPort()));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "aeron:ipc?stream-id=7",
                "aeron:udp?endpoint=localhost:PORT",
                "aeron:udp?endpoint=localhost:PORT|reliable=false",
                "aeron:udp?control=localhost:PORT"
            })
    void shouldShowAWorldAndFindASenderThatWasStartedAgain(String where) throws IOException {
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
        assertThat(sender.cutTicks()).isZero();
        assertThat(sender.failure()).isEmpty();
        sender.close();
        AeronSender next = send(channel, 2);
        tickUntilShown(receiver, world.ticks() + 5);
        assertThat(next.packets()).isPositive();
        assertThat(receiver.figure(ReceiverFigure.STREAMS)).isEqualTo(2);
        assertThat(receiver.figure(ReceiverFigure.LOST_PACKETS)).isZero();
        assertThat(one.failure()).isEmpty();
        assertThat(one.packets()).isPositive();
        assertThat(one.latencyNanos().getTotalCount()).isPositive();
    }

    @Test
    void shouldCutATickThatAeronHasNoRoomForAndGoOnFromWhatWasSent() {
        bodies = 3000;
        String channel = "aeron:ipc?stream-id=8";
        try (Subscription slow = driver.aeron().addSubscription("aeron:ipc", 8);
                AeronSender sender = send(channel, 1)) {
            tickUntil(() -> sender.cutTicks() > 0);
            tick();
            boolean[] shown = {false};
            tickUntil(() -> {
                while (slow.poll(
                                (buffer, offset, length, header) -> {
                                    byte[] packet = new byte[length - AeronSender.TICK_BYTES];
                                    buffer.getBytes(offset + AeronSender.TICK_BYTES, packet);
                                    receiver.packet(ByteBuffer.wrap(packet), clock.nanoTime());
                                },
                                64)
                        > 0) {
                    receiver.run(clock.nanoTime());
                }
                if (receiver.isReady()) {
                    try (SnapshotReader reader = receiver.newReader()) {
                        shown[0] |= trueTick(receiver, reader) > 0;
                    }
                }
                return shown[0];
            });
            assertThat(receiver.figure(ReceiverFigure.LOST_PACKETS)).isZero();
        }
    }

    @Test
    void shouldNotLetAReceiverThatReadsNothingHoldUpAnother() {
        bodies = 3000;
        StreamChannel channel = StreamChannel.of("aeron:ipc?stream-id=9");
        AeronReceiver other = receive(channel.text(), receiver);
        try (Subscription stopped = driver.aeron().addSubscription(channel.ofReceiver(), 9)) {
            AeronSender sender = send(channel.text(), 1);
            tickUntil(() -> sender.cutTicks() > 0);
            tickUntil(() -> stopped.hasNoImages());
            tickUntilShown(receiver, world.ticks());
            assertThat(other.failure()).isEmpty();
        }
    }

    @Test
    void shouldReadNothingFromPacketsOfOthers() throws IOException {
        StreamChannel channel = StreamChannel.of(free("aeron:udp?endpoint=localhost:PORT"));
        Random random = new Random(3);
        AeronReceiver stream = receive(channel.text(), receiver);
        try (ExclusivePublication foreign =
                driver.aeron().addExclusivePublication(channel.ofSender(), channel.streamId())) {
            await(foreign::isConnected);
            for (int length = 0; length < 4000; length += 13) {
                byte[] bytes = new byte[length];
                random.nextBytes(bytes);
                await(() -> foreign.offer(new UnsafeBuffer(bytes)) > 0);
            }
            await(() -> stream.bytes() > 600_000);
            assertThat(stream.failure()).isEmpty();
            assertThat(receiver.isReady()).isFalse();
            send(channel.text(), 1);
            tickUntilShown(receiver, 1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"udp:localhost:1", "aeron:udp", "aeron:tcp?endpoint=localhost:1", "aeron:ipc?stream-id=x"})
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
        Files.write(dead.resolve("cnc.dat"), new byte[8192]); // killed while it started
        Path foreign = Files.createDirectories(own.resolveSibling(dead.getFileName() + "-other"));
        try (AeronDriver second = AeronDriver.embedded();
                AeronDriver connected = AeronDriver.existing(own)) {
            assertThat(dead).doesNotExist();
            assertThat(foreign).exists();
            assertThat(second.directory()).exists().isNotEqualTo(own);
            assertThat(connected.count(DriverCount.ERRORS)).isEqualTo(driver.count(DriverCount.ERRORS));
        } finally {
            Files.delete(foreign);
        }
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> AeronDriver.existing(dead))
                .withMessage("no Aeron driver runs in " + dead);
    }

    @Test
    void shouldSayWhichFlagIsMissing() throws IOException, InterruptedException {
        Process java = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        StartsADriver.class.getName())
                .redirectErrorStream(true)
                .start();
        assertThat(new String(java.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualToIgnoringNewLines(
                        "Aeron needs access to a package of the JDK; start Java with " + AeronDriver.ADD_OPENS);
        assertThat(java.waitFor()).isZero();
    }

    /** Without the flag. */
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

    @ParameterizedTest
    @CsvSource({"0, 1", "60, 0.5", "60, 4"})
    void shouldReplayWhatWasRecorded(long fromTick, double speed) {
        String channel = "aeron:ipc?stream-id=10";
        for (int part = 1; part <= 2; part++) {
            SnapshotReceiver live = newReceiver();
            record(channel, live);
            assertThatExceptionOfType(UncheckedIOException.class)
                    .isThrownBy(() -> AeronRecording.open(folder, AeronRecording.STEP_BYTES))
                    .withMessageContaining(folder + " cannot be used for recordings");
            send(channel, part);
            tickUntilShown(live, world.ticks() + 100);
            close();
        }
        long[] shown = {-1, -1};
        AeronReplay replay = AeronReplay.start(folder, fromTick, speed, receiver, clock);
        opened.push(replay);
        long recorded = world.ticks();
        tickUntil(receiver::isReady);
        try (SnapshotReader reader = receiver.newReader()) {
            tickUntil(() -> {
                long tick = trueTick(receiver, reader);
                shown[0] = shown[0] < 0 ? tick : shown[0];
                shown[1] = Math.max(shown[1], tick);
                return replay.isEnded() || replay.failure().isPresent();
            });
        }
        assertThat(replay.failure()).isEmpty();
        assertThat(shown[0]).as("first").isBetween(fromTick - 3, fromTick + 95);
        if (speed <= 1) { // faster, the second part is over before its world is whole
            assertThat(shown[1]).as("last").isBetween(recorded - 90, recorded);
        }
        assertThat(receiver.figure(ReceiverFigure.STREAMS)).isEqualTo(2);
    }

    @Test
    void shouldKeepNoMoreThanItsBound() {
        bodies = 10_000;
        String channel = "aeron:ipc?stream-id=11";
        record(channel, receiver);
        AeronSender sender = send(channel, 1);
        tickUntil(() -> sender.packets() * 1300 > 5L * AeronRecording.STEP_BYTES);
        close();
        try (AeronRecording recording = AeronRecording.open(folder, AeronRecording.STEP_BYTES)) {
            long kept = recording.parts().stream()
                    .mapToLong(AeronRecording.Part::bytes)
                    .sum();
            assertThat(kept).isBetween((long) AeronRecording.STEP_BYTES, 2L * AeronRecording.STEP_BYTES);
        }
    }

    @Test
    void shouldRefuseWhatCannotBeReplayed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AeronReplay.start(folder, 0, 1, receiver, clock))
                .withMessage("nothing was recorded in " + folder);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AeronReplay.start(folder, 0, 0, receiver, clock))
                .withMessageContaining("but not 0");
        record("aeron:ipc?stream-id=12", receiver);
        close();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AeronReplay.start(folder, 100_000, 1, newReceiver(), clock))
                .withMessage("the recording has no tick 100000 or later");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AeronRecording.open(folder, 1))
                .withMessageContaining("at least 4194304 bytes, but was told to keep 1");
    }

    private static void await(BooleanSupplier reached) {
        while (!reached.getAsBoolean()) {
            assertThat(Thread.currentThread().isInterrupted()).as("timed out").isFalse();
            Waiting.system().park(100_000);
        }
    }
}
