package dev.escapement.bench.run;

import dev.escapement.bench.measure.Distribution;
import dev.escapement.physics.PhysicsService;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.wire.ReceiverFigure;
import dev.escapement.state.wire.SnapshotReceiver;
import dev.escapement.state.wire.SnapshotSender;
import dev.escapement.state.wire.WireFormat;
import dev.escapement.state.wire.udp.ClientEndpoint;
import dev.escapement.state.wire.udp.Limits;
import dev.escapement.state.wire.udp.ServerEndpoint;
import dev.escapement.state.wire.udp.Traffic;
import dev.escapement.state.wire.udp.UdpLoop;
import dev.escapement.transport.aeron.AeronDriver;
import dev.escapement.transport.aeron.AeronReceiver;
import dev.escapement.transport.aeron.AeronSender;
import dev.escapement.transport.aeron.AeronStream;
import java.io.UncheckedIOException;
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
final class Link implements AutoCloseable {

    /** What both sides over UDP call the world. */
    static final String WORLD = "escapement";

    private final Supplier<Optional<Throwable>> failure;
    private final Supplier<Map<String, Long>> counts;

    /** One of a watcher, null where the other is. */
    private final @Nullable ClientEndpoint client;

    private final @Nullable AeronStream stream;

    private final @Nullable AutoCloseable[] parts;

    private Link(UdpLoop<?> loop, @Nullable ClientEndpoint client, LongSupplier clampedBodies) {
        failure = loop::failure;
        counts = () -> Map.of("clamped-bodies", clampedBodies.getAsLong());
        this.client = client;
        stream = null;
        parts = new AutoCloseable[] {loop};
    }

    private Link(AeronStream stream, AutoCloseable needs) {
        failure = stream::failure;
        counts = stream::counts;
        client = null;
        this.stream = stream;
        parts = new AutoCloseable[] {stream, () -> CloseHelper.quietClose(needs)};
    }

    /**
     * Reads where other processes see the worlds of a run.
     *
     * @return serves a world that has started, by one of its readers
     * @throws IllegalArgumentException if it is no address, or another program has it
     */
    static Function<PhysicsService, Link> serving(StreamOptions options, String address, Consumer<String> say) {
        if (StreamOptions.isChannel(address)) {
            options.checkChannel("--serve", address);
            return physics -> serveChannel(address, sender(physics), say);
        }
        StreamOptions.Address free = options.free("--serve", address);
        return physics -> serve(free, sender(physics), physics.input(), say);
    }

    private static SnapshotSender sender(PhysicsService physics) {
        return new SnapshotSender(
                physics.newReader(), WireFormat.rounded(0.001f, 0.003f), new SecureRandom().nextInt());
    }

    private static Link serve(StreamOptions.Address at, SnapshotSender sender, InputRing input, Consumer<String> say) {
        NanoClock clock = NanoClock.system();
        UdpLoop<ServerEndpoint> server =
                UdpLoop.server(at.socket(), WORLD, at.access(), sender, input, Limits.DEFAULT, clock);
        String where =
                StreamOptions.written(at.socket().getAddress(), server.address().getPort());
        say.accept("Served at " + where + "; see it with" + (at.hasKey() ? " the same key" : "") + ": escapement watch "
                + where);
        return new Link(server, null, sender::clampedBodies);
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
        return new Link(stream, driver);
    }

    /**
     * Reads where the world of another process is served.
     *
     * @return connects a receiver to it
     * @throws IllegalArgumentException if it is no address
     */
    static Function<SnapshotReceiver, Link> watching(StreamOptions options, String address) {
        if (StreamOptions.isChannel(address)) {
            options.checkChannel("ADDRESS", address);
            return receiver -> watchChannel(address, receiver);
        }
        StreamOptions.Address server = options.address("ADDRESS", address);
        return receiver -> {
            UdpLoop<ClientEndpoint> loop =
                    UdpLoop.client(server.socket(), WORLD, server.access(), receiver, NanoClock.system());
            return new Link(loop, loop.endpoint(), () -> receiver.figure(ReceiverFigure.CLAMPED_BODIES));
        };
    }

    private static Link watchChannel(String channel, SnapshotReceiver receiver) {
        AeronDriver driver = started(AeronDriver::embedded);
        try {
            return new Link(AeronReceiver.start(driver, channel, receiver, NanoClock.system()), driver);
        } catch (Throwable e) { // Agrona throws checked ones, too
            CloseHelper.quietClose(driver);
            throw e;
        }
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
    Optional<Throwable> failure() {
        return failure.get();
    }

    /** What the transport counts, by name. */
    Map<String, Long> counts() {
        return counts.get();
    }

    /** Where input goes. What is offered goes nowhere if the sender takes none. */
    InputRing input() {
        return client == null ? new InputRing(2, NanoClock.system()) : client.inputs();
    }

    /** Why the sender does not take this side; empty if it has not refused. */
    Optional<ClientEndpoint.Refusal> refusal() {
        return client == null ? Optional.empty() : client.refusal();
    }

    /** Bytes that came. */
    long bytes() {
        return stream != null ? stream.bytes() : client == null ? 0 : client.count(Traffic.BYTES_IN);
    }

    /** Packets that came. */
    long packets() {
        return stream != null ? stream.packets() : client == null ? 0 : client.count(Traffic.PACKETS_IN);
    }

    /** How long packets took since the last call, if that is known. */
    Distribution.@Nullable Summary latencyMicros() {
        return stream instanceof AeronReceiver receiver ? Distribution.Summary.of(receiver.latencyNanos()) : null;
    }

    @Override
    public void close() {
        CloseHelper.quietCloseAll(parts);
    }
}
