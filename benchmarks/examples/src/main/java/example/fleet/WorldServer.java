package example.fleet;

import dev.escapement.physics.PhysicsService;
import dev.escapement.state.time.WaitStrategy;
import dev.escapement.transport.aeron.AeronDriver;
import dev.escapement.transport.aeron.AeronSender;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Worlds, each with its own physics thread, and one driver that sends them all. */
final class WorldServer implements AutoCloseable {

    /** Both sides count streams from here. */
    private static final int FIRST_STREAM = 1000;

    private final AeronDriver driver = AeronDriver.embedded();
    private final List<PhysicsService> worlds = new ArrayList<>();
    private final List<AeronSender> streams = new ArrayList<>();

    WorldServer(String channel, int count, int bodies) {
        try {
            for (int world = 0; world < count; world++) {
                PhysicsService physics = PhysicsService.builder(new Carousel(bodies))
                        .waitStrategy(WaitStrategy.PARK_ONLY)
                        .preallocate(bodies)
                        .maxReaders(1)
                        .start();
                worlds.add(physics);
                int streamId = new SecureRandom().nextInt(); // another one when this server is started again
                AeronSender stream = Streaming.send(driver, channelOf(channel, world), physics.newReader(), streamId);
                streams.add(stream);
                physics.stats().addCounts(stream::counts);
            }
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /** The channel of a world. */
    static String channelOf(String channel, int world) {
        return channel + (channel.contains("?") ? "|" : "?") + "stream-id=" + (FIRST_STREAM + world);
    }

    Optional<Throwable> failure() {
        return Stream.concat(
                        worlds.stream().map(PhysicsService::failure),
                        streams.stream().map(AeronSender::failure))
                .flatMap(Optional::stream)
                .findFirst();
    }

    @Override
    public void close() {
        streams.forEach(AeronSender::close);
        worlds.forEach(PhysicsService::close);
        driver.close();
    }
}
