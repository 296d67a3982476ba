package dev.escapement.bench.run;

import dev.escapement.bench.measure.Distribution;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.wire.SnapshotReceiver;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The side that sees the world of another process. Any thread. */
interface Watching extends Serving.Link {

    /**
     * Reads an address.
     *
     * @param record the folder in which the stream is recorded, null if in none
     * @return connects a receiver to it
     * @throws IllegalArgumentException if it is none
     */
    static Function<SnapshotReceiver, Watching> at(String address, @Nullable Path record) {
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
}
