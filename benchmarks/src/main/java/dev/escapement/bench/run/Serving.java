package dev.escapement.bench.run;

import dev.escapement.physics.PhysicsService;
import dev.escapement.state.wire.SnapshotSender;
import dev.escapement.state.wire.WireFormat;
import java.security.SecureRandom;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Where other processes see the worlds of a run: 'escapement watch ADDRESS'. */
interface Serving {

    /**
     * Serves at an address.
     *
     * @throws IllegalArgumentException if it is none, or another program has it
     */
    static Serving at(String option, String text, Consumer<String> say) {
        return text.startsWith(AeronWorld.SCHEME) ? new AeronWorld(text, say) : UdpWorld.at(option, text, say);
    }

    /** Makes packets of a world. */
    static SnapshotSender sender(PhysicsService physics) {
        return new SnapshotSender(
                physics.newReader(), WireFormat.rounded(0.001f, 0.003f), new SecureRandom().nextInt());
    }

    /** Serves a world that has started, by one of its readers. */
    Link start(PhysicsService physics);

    /** One side of a stream between processes. */
    interface Link extends AutoCloseable {

        /** Why it ended by itself. Any thread. */
        Optional<Throwable> failure();

        /** What the transport counts, by name. Any thread. */
        default Map<String, Long> counts() {
            return Map.of();
        }

        @Override
        void close();
    }
}
