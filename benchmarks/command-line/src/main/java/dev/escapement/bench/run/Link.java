package dev.escapement.bench.run;

import dev.escapement.bench.measure.Distribution;
import dev.escapement.physics.PhysicsService;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.wire.SnapshotReceiver;
import dev.escapement.state.wire.SnapshotSender;
import dev.escapement.state.wire.WireFormat;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One side of a stream between processes: of a run, or of 'escapement watch ADDRESS', which alone counts what comes. Any thread. */
interface Link extends AutoCloseable {

    /**
     * Reads where other processes see the worlds of a run.
     *
     * @return serves a world that has started, by one of its readers
     * @throws IllegalArgumentException if it is no address, or another program has it
     */
    static Function<PhysicsService, Link> serving(String option, String address, Consumer<String> say) {
        if (address.startsWith(AeronWorld.SCHEME)) {
            return physics -> AeronWorld.serve(address, sender(physics), say);
        }
        InetSocketAddress free = UdpWorld.freeAddress(option, address);
        return physics -> UdpWorld.serve(free, sender(physics), physics.input(), say);
    }

    private static SnapshotSender sender(PhysicsService physics) {
        return new SnapshotSender(
                physics.newReader(), WireFormat.rounded(0.001f, 0.003f), new SecureRandom().nextInt());
    }

    /**
     * Reads where the world of another process is served.
     *
     * @param record the folder in which the stream is recorded, null if in none
     * @return connects a receiver to it
     * @throws IllegalArgumentException if it is no address
     */
    static Function<SnapshotReceiver, Link> watching(String address, @Nullable Path record) {
        if (address.startsWith(AeronWorld.SCHEME)) {
            return receiver -> AeronWorld.watch(address, record, receiver);
        }
        if (record != null) {
            throw new IllegalArgumentException(
                    "--record takes Aeron channels, such as aeron:udp?endpoint=localhost:20121," + " but not "
                            + address);
        }
        InetSocketAddress server = UdpWorld.localAddress("ADDRESS", address);
        return receiver -> UdpWorld.watch(server, receiver);
    }

    /** Why it ended by itself. */
    Optional<Throwable> failure();

    /** What the transport counts, by name. */
    default Map<String, Long> counts() {
        return Map.of();
    }

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
}
