package example.prediction;

import dev.escapement.physics.PhysicsService;
import dev.escapement.render.web.LivePage;
import example.Launcher;
import example.PlayArguments;
import java.util.concurrent.TimeUnit;

/** Shows a match with and without prediction, side by side in a page, and prints the difference: {@code PredictionExample [seconds]}. */
public final class PredictionExample {

    private static final int DEFAULT_SECONDS = 30;
    private static final long SEED = 7;

    private PredictionExample() {}

    public static void main(String[] args) throws Exception {
        Launcher.launch(new PlayArguments(DEFAULT_SECONDS), args, arguments -> play(arguments.seconds()));
    }

    private static void play(int seconds) throws InterruptedException {
        Match match = new Match(SEED);
        try (PhysicsService physics =
                        PhysicsService.builder(match).rate(Server.RATE).start();
                LivePage page = LivePage.of(physics.newReader())
                        .controls(physics)
                        .title("With prediction, and without")
                        .start()) {
            System.out.println(page.url());
            TimeUnit.SECONDS.sleep(seconds);
        }
        System.out.print(match.report());
    }
}
