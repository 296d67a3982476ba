package example.engine;

import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.replay.RunDescription;
import dev.escapement.physics.replay.history.SyncTest;
import dev.escapement.physics.replay.log.InputLog;
import dev.escapement.physics.replay.log.Recording;
import dev.escapement.physics.replay.log.Scrubber;
import dev.escapement.physics.spi.Divergence;
import dev.escapement.physics.spi.TickHook;
import dev.escapement.physics.spi.TickTimes;
import dev.escapement.state.event.BodyEvent;
import dev.escapement.state.event.EventStream;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.time.TickRate;
import example.Arguments;
import example.guide.Replaying;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Records some seconds of balls, replays them and prints the result: {@code EngineExample [seconds]}. */
public final class EngineExample {

    private static final int DEFAULT_SECONDS = 3;
    private static final int BALLS = 200;
    private static final long SEED = 7;
    private static final int TOSS_TICKS = 100;

    private EngineExample() {}

    public static void main(String[] args) throws Exception {
        recordAndReplay(Arguments.seconds(args, DEFAULT_SECONDS));
    }

    private static void recordAndReplay(int seconds) throws Exception {
        Path file = Files.createTempDirectory("escapement-example-").resolve("balls.esclog");
        long impacts = record(file, seconds);
        System.out.println(impacts + " impacts, recorded in " + InputLog.open(file));
        System.out.println("replayed: " + verdict(replay(file)));
        System.out.println("every tick twice: " + verdict(syncTest(file)));
        try (Scrubber scrubber = scrubber(file)) {
            for (long tick : new long[] {90, 60, 30}) {
                System.out.println("ball 0 after tick " + tick + ": " + heightAt(scrubber, 0, tick) + " m");
            }
        }
    }

    private static String verdict(Optional<Divergence> divergence) {
        return divergence.map(Divergence::toString).orElse("the same state after every tick");
    }

    /** Records a run in which the balls are tossed once a second. Returns how many hits of the floor its events reported. */
    static long record(Path file, int tosses) throws Exception {
        Semaphore seconds = new Semaphore(0);
        RunDescription run = new RunDescription("bouncing-balls", "1", BALLS + " balls", SEED, TickRate.hertz(100));
        long[] impacts = new long[1];
        try (Recording recording = Recording.create(file, run);
                PhysicsService physics = PhysicsService.builder(new BouncingBalls(BALLS, SEED))
                        .with(recording)
                        .with(new TickHook() {
                            @Override
                            public void published(TickTimes times) {
                                if (times.tick() % TOSS_TICKS == 0) {
                                    seconds.release();
                                }
                            }
                        })
                        .build();
                EventStream events = physics.events(8192)) {
            physics.start();
            for (int toss = 0; toss < tosses; toss++) {
                if (!seconds.tryAcquire(10, TimeUnit.SECONDS)) {
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

    /** Runs it again and compares the state after every tick with the recorded one. */
    static Optional<Divergence> replay(Path file) throws Exception {
        return Replaying.repeat(file, new BouncingBalls(BALLS, SEED));
    }

    /** Runs it again and steps every tick twice from the same saved state, which finds state that save() forgets. */
    static Optional<Divergence> syncTest(Path file) throws Exception {
        SyncTest twice = SyncTest.of(new BouncingBalls(BALLS, SEED));
        Replaying.repeat(file, twice);
        return twice.divergence();
    }

    /** The height of a ball after a tick; any tick, forwards or backwards. */
    static float heightAt(Scrubber scrubber, int ball, long tick) throws Exception {
        return scrubber.goTo(tick).poses().blockOf(ball).py[ball];
    }

    static Scrubber scrubber(Path file) throws IOException {
        InputLog log = InputLog.open(file);
        return new Scrubber(log, () -> new BouncingBalls(BALLS, log.run().seed()), PoseLayout.PLAIN);
    }
}
