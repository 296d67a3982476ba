package dev.escapement.bench.stress.scenario;

import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.state.wire.SnapshotSender;
import dev.escapement.state.wire.network.WireHost;
import dev.escapement.state.wire.udp.Limits;
import dev.escapement.state.wire.udp.ServerEndpoint;
import java.util.Random;
import java.util.SplittableRandom;

/** A server's program: a service that ticks when it is due, and its endpoint. */
final class WireServer extends WireHost {

    private static final long LATE_NANOS = 1_000_000;
    private static final int READERS = 8;

    final WireWorld world;
    final InlineDriver driver;
    private final SplittableRandom random;

    WireServer(WireRun run, WireWorld world, SplittableRandom random) {
        super(run.time, run.clock(), run.drift());
        this.world = world;
        this.random = random;
        driver = PhysicsService.builder(world)
                .rate(run.rate)
                .maxReaders(READERS)
                .pausedInput((event, state) -> run.inputs.arrive(event))
                .inline(this);
        SnapshotSender sender = new SnapshotSender(driver.newReader(), run.format, random.nextInt());
        Random names = new Random(random.nextLong());
        endpoint = new ServerEndpoint(
                sender, driver.input(), WireRun.WORLD, run.access, Limits.DEFAULT, names, run::toClient);
    }

    @Override
    protected long run() {
        driver.runDueTicks();
        long nextNanos = super.run();
        return random.nextInt(10) == 0 ? nextNanos + random.nextLong(LATE_NANOS) : nextNanos;
    }
}
