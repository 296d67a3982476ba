package example.engine;

import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.replay.RunDescription;
import dev.escapement.physics.replay.history.SyncTest;
import dev.escapement.physics.replay.log.InputLog;
import dev.escapement.physics.replay.log.Recording;
import dev.escapement.physics.spi.TickSource;
import dev.escapement.state.event.BodyEvent;
import dev.escapement.state.event.EventStream;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.time.TickRate;
import example.Arguments;
import example.guide.Replaying;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Records some seconds of bouncing balls, replays them and prints the result: {@code EngineExample [seconds]}. */
public final class EngineExample {

    private static final int DEFAULT_SECONDS = 3;
    static final int BALLS = 200;
    private static final long SEED = 7;
    private static final int TOSS_TICKS = 100;

    private EngineExample() {}

    public static void main(String[] args) throws Exception {
        Path file = Files.createTempDirectory("escapement-example-").resolve("balls.esclog");
        long impacts = record(file, Arguments.seconds(args, DEFAULT_SECONDS));
        System.out.println(impacts + " impacts, recorded in " + InputLog.open(file));
        System.out.println("replayed: " + verdict(replay(file)));
        System.out.println("every tick twice: " + verdict(syncTest(file)));
    }

    private static String verdict(Optional<TickSource.Divergence> divergence) {
        return divergence.map(TickSource.Divergence::toString).orElse("the same state after every tick");
    }

    /** Records a run in which the balls are tossed once a second. Returns the number of floor hits in its events. */
    static long record(Path file, int tosses) throws Exception {
        RunDescription run = new RunDescription("bouncing-balls", "1", BALLS + " balls", SEED, TickRate.hertz(100));
        long[] impacts = new long[1];
        try (Recording recording = Recording.create(file, run);
                PhysicsService physics = PhysicsService.builder(new BouncingBalls(BALLS, SEED))
                        .with(recording)
                        .build();
                EventStream events = physics.events(8192)) {
            physics.start();
            for (int toss = 0; toss < tosses; toss++) {
                while (physics.lastPublishedTick() < TOSS_TICKS * (toss + 1L) && !physics.hasEnded()) {
                    Thread.sleep(10);
                }
                if (physics.hasEnded()) {
                    throw new IllegalStateException(
                            "no ticks: " + physics.state(), physics.failure().orElse(null));
                }
                physics.input().offer(System.nanoTime(), InputKind.KEY_DOWN, BouncingBalls.KEY_TOSS, 0, 0);
                events.drain(event -> {
                    if (event.kind() == BodyEvent.Kind.CONTACT_BEGAN) {
                        impacts[0]++;
                    }
                });
            }
        }
        return impacts[0];
    }

    static Optional<TickSource.Divergence> replay(Path file) throws Exception {
        return Replaying.repeat(file, new BouncingBalls(BALLS, SEED));
    }

    /**
     * Replays the run, and steps every tick twice from the same saved state. A difference means that save() forgets a part of the state.
     */
    static Optional<TickSource.Divergence> syncTest(Path file) throws Exception {
        SyncTest twice = SyncTest.of(new BouncingBalls(BALLS, SEED));
        Replaying.repeat(file, twice);
        return twice.divergence();
    }
}
