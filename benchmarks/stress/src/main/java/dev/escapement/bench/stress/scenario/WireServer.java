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

    /** How many events its ring holds. */
    static final int INPUTS = 1024;

    final WirePaths world;
    final InlineDriver driver;
    private final WireRun run;
    private final SplittableRandom random;

    WireServer(WireRun run, WirePaths world, SplittableRandom random, long clockNanos, double driftPpm) {
        super(run.time, clockNanos, driftPpm);
        this.run = run;
        this.world = world;
        this.random = random;
        driver = PhysicsService.builder(world)
                .rate(run.rate)
                .maxReaders(READERS)
                .inputCapacity(INPUTS)
                .pausedInput((event, state) -> run.inputs.arrive(event))
                .inline(this);
        startEndpoint();
    }

    private SnapshotSender newSender() {
        return new SnapshotSender(driver.newReader(), run.format, random.nextInt());
    }

    /** A new endpoint takes the place of the one before, if any, which ends without a word. The world goes on. */
    void startEndpoint() {
        endpoint = new ServerEndpoint(
                newSender(),
                driver.input(),
                WireRun.WORLD,
                run.access,
                Limits.DEFAULT,
                new Random(random.nextLong()),
                run::toClient);
    }

    @Override
    protected long run() {
        driver.runDueTicks();
        long nowNanos = nanoTime();
        long nextNanos = endpoint.run(nowNanos);
        return random.nextInt(10) == 0 ? nextNanos + random.nextLong(LATE_NANOS) : nextNanos;
    }
}
