package example.prediction;

import dev.escapement.physics.PhysicsService;
import dev.escapement.render.web.LivePage;
import example.Arguments;
import java.util.concurrent.TimeUnit;

/** Shows a match with and without prediction, side by side in a page, and prints the difference: {@code PredictionExample [seconds]}. */
public final class PredictionExample {

    private static final int DEFAULT_SECONDS = 30;
    private static final long SEED = 7;

    private PredictionExample() {}

    public static void main(String[] args) throws Exception {
        play(Arguments.seconds(args, DEFAULT_SECONDS));
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
