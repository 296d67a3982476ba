package example.engine;

import dev.escapement.physics.Divergence;
import dev.escapement.physics.replay.InputLog;
import dev.escapement.physics.replay.Scrubber;
import example.Launcher;
import example.PlayArguments;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Records some seconds of balls, replays them and says what came of it: {@code EngineExample [seconds]}. */
public final class EngineExample {

    private static final int DEFAULT_SECONDS = 3;

    private EngineExample() {}

    public static void main(String[] args) throws Exception {
        Launcher.launch(new PlayArguments(DEFAULT_SECONDS), args, arguments -> recordAndReplay(arguments.seconds()));
    }

    private static void recordAndReplay(int seconds) throws Exception {
        Path file = Files.createTempDirectory("escapement-example-").resolve("balls.esclog");
        long impacts = BallsRun.record(file, seconds);
        System.out.println(impacts + " impacts, recorded in " + InputLog.open(file));
        System.out.println("replayed: " + verdict(BallsRun.replay(file)));
        System.out.println("every tick twice: " + verdict(BallsRun.syncTest(file)));
        try (Scrubber scrubber = BallsRun.scrubber(file)) {
            for (long tick : new long[] {90, 60, 30}) {
                System.out.println("ball 0 after tick " + tick + ": " + BallsRun.heightAt(scrubber, 0, tick) + " m");
            }
        }
    }

    private static String verdict(Optional<Divergence> divergence) {
        return divergence.map(Divergence::toString).orElse("the same state after every tick");
    }
}
