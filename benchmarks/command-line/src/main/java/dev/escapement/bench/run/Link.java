package dev.escapement.bench.run;

import dev.escapement.bench.measure.Distribution;
import dev.escapement.physics.PhysicsService;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.wire.ReceiverFigure;
import dev.escapement.state.wire.SnapshotReceiver;
import dev.escapement.state.wire.SnapshotSender;
import dev.escapement.state.wire.WireFormat;
import dev.escapement.state.wire.udp.Access;
import dev.escapement.state.wire.udp.ClientEndpoint;
import dev.escapement.state.wire.udp.Endpoint;
import dev.escapement.state.wire.udp.Limits;
import dev.escapement.state.wire.udp.ServerEndpoint;
import dev.escapement.state.wire.udp.Traffic;
import dev.escapement.state.wire.udp.UdpLoop;
import dev.escapement.transport.aeron.AeronDriver;
import dev.escapement.transport.aeron.AeronReceiver;
import dev.escapement.transport.aeron.AeronRecording;
import dev.escapement.transport.aeron.AeronReplay;
import dev.escapement.transport.aeron.AeronSender;
import dev.escapement.transport.aeron.AeronStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.agrona.CloseHelper;
import org.jspecify.annotations.Nullable;

/**
 * One side of a stream between processes, over UDP or in a channel of Aeron: of a run, or of 'escapement watch ADDRESS', which alone counts
 * what comes. Any thread.
 */
interface Link extends AutoCloseable {

    /** What both sides over UDP call the world. */
    String WORLD = "escapement";

    /** Of a recording that is kept. */
    long MOST_BYTES = 1_000_000_000;

    /** With this begin Aeron's channels. */
    String AERON = "aeron";

    /**
     * Reads where other processes see the worlds of a run.
     *
     * @return serves a world that has started, by one of its readers
     * @throws IllegalArgumentException if it is no address, or another program has it
     */
    static Function<PhysicsService, Link> serving(String option, String address, Consumer<String> say) {
        if (address.startsWith(AERON)) {
            return physics -> serveChannel(address, sender(physics), say);
        }
        InetSocketAddress free = LocalAddress.free(option, address);
        return physics -> serve(free, sender(physics), physics.input(), say);
    }

    private static SnapshotSender sender(PhysicsService physics) {
        return new SnapshotSender(
                physics.newReader(), WireFormat.rounded(0.001f, 0.003f), new SecureRandom().nextInt());
    }

    private static Link serve(InetSocketAddress address, SnapshotSender sender, InputRing input, Consumer<String> say) {
        NanoClock clock = NanoClock.system();
        UdpLoop<ServerEndpoint> server =
                UdpLoop.server(address, WORLD, Access.thisMachine(), sender, input, Limits.DEFAULT, clock);
        String where = LocalAddress.written(server.address());
        say.accept("Served at " + where + "; see it with: escapement watch " + where);
        return new Udp(server, sender::clampedBodies);
    }

    private static Link serveChannel(String channel, SnapshotSender sender, Consumer<String> say) {
        AeronDriver driver = null;
        AeronSender stream;
        try {
            driver = started(AeronDriver::embedded);
            stream = AeronSender.start(driver, channel, sender, NanoClock.system());
        } catch (Throwable e) { // Agrona throws checked ones, too
            CloseHelper.quietCloseAll(sender, driver);
            throw e;
        }
        say.accept("Served at " + channel + "; see it with: escapement watch '" + channel + "'");
        return new Aeron(stream, driver, null);
    }

    /**
     * Reads where the world of another process is served.
     *
     * @param record the folder in which the stream is recorded, null if in none
     * @return connects a receiver to it
     * @throws IllegalArgumentException if it is no address
     */
    static Function<SnapshotReceiver, Link> watching(String address, @Nullable Path record) {
        if (address.startsWith(AERON)) {
            return receiver -> watchChannel(address, record, receiver);
        }
        if (record != null) {
            throw new IllegalArgumentException(
                    "--record takes Aeron channels, such as aeron:udp?endpoint=localhost:20121," + " but not "
                            + address);
        }
        InetSocketAddress server = LocalAddress.read("ADDRESS", address);
        return receiver -> new Udp(
                UdpLoop.client(server, WORLD, Access.thisMachine(), receiver, NanoClock.system()),
                () -> receiver.figure(ReceiverFigure.CLAMPED_BODIES));
    }

    private static Link watchChannel(String channel, @Nullable Path folder, SnapshotReceiver receiver) {
        AeronRecording recording = folder == null ? null : started(() -> AeronRecording.open(folder, MOST_BYTES));
        AeronDriver driver = null;
        try {
            driver = channel.startsWith("aeron:ipc") ? null : started(AeronDriver::embedded);
            AeronReceiver stream = AeronReceiver.start(driver, channel, receiver, NanoClock.system(), recording);
            return new Aeron(stream, driver, recording);
        } catch (Throwable e) { // Agrona throws checked ones, too
            CloseHelper.quietCloseAll(driver, recording);
            throw e;
        }
    }

    /** Plays a recording. */
    static Link replaying(Path folder, long fromTick, double speed, SnapshotReceiver receiver) {
        return new Aeron(
                started(() -> AeronReplay.start(folder, fromTick, speed, receiver, NanoClock.system())), null, null);
    }

    /** What cannot start is told in a line, as bad input is. */
    private static <T> T started(Supplier<T> start) {
        try {
            return start.get();
        } catch (IllegalStateException | UncheckedIOException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    /** Why it ended by itself. */
    Optional<Throwable> failure();

    /** What the transport counts, by name. */
    Map<String, Long> counts();

    /** Where input goes. What is offered goes nowhere if the sender takes none. */
    default InputRing input() {
        return new InputRing(2, NanoClock.system());
    }

    /** Why the sender does not take this side, as the end of a sentence; empty if it has not refused. */
    default String refusal() {
        return "";
    }

    /** Whether nothing follows. */
    default boolean isEnded() {
        return false;
    }

    /** Bytes that came. */
    long bytes();

    /** Packets that came. */
    long packets();

    /** How long packets took since the last call, if that is known. */
    default Distribution.@Nullable Summary latencyMicros() {
        return null;
    }

    @Override
    void close();

    /** Either side, and how many bodies are too far away for it. */
    record Udp(UdpLoop<? extends Endpoint> loop, LongSupplier clampedBodies) implements Link {

        @Override
        public Optional<Throwable> failure() {
            return loop.failure();
        }

        @Override
        public InputRing input() {
            return loop.endpoint() instanceof ClientEndpoint client ? client.inputs() : Link.super.input();
        }

        @Override
        public String refusal() {
            return loop.endpoint() instanceof ClientEndpoint client
                    ? client.refusal().map(why -> ": it refuses, " + why).orElse("")
                    : "";
        }

        @Override
        public long bytes() {
            return loop.endpoint().count(Traffic.BYTES_IN);
        }

        @Override
        public long packets() {
            return loop.endpoint().count(Traffic.PACKETS_IN);
        }

        @Override
        public Map<String, Long> counts() {
            return Map.of("clamped-bodies", clampedBodies.getAsLong());
        }

        @Override
        public void close() {
            loop.close();
        }
    }

    /** Either side, and what it needs. */
    record Aeron(
            AeronStream stream,
            @Nullable AeronDriver driver,
            @Nullable AeronRecording recording) implements Link {

        @Override
        public Optional<Throwable> failure() {
            return stream.failure();
        }

        @Override
        public boolean isEnded() {
            return stream instanceof AeronReplay replay && replay.isEnded();
        }

        @Override
        public long bytes() {
            return stream.bytes();
        }

        @Override
        public long packets() {
            return stream.packets();
        }

        @Override
        public Map<String, Long> counts() {
            return stream.counts();
        }

        @Override
        public Distribution.@Nullable Summary latencyMicros() {
            return stream instanceof AeronReceiver receiver ? Distribution.Summary.of(receiver.latencyNanos()) : null;
        }

        @Override
        public void close() {
            CloseHelper.quietCloseAll(stream, driver, recording);
        }
    }
}
