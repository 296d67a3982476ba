import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.ode4j.Ode4jSimulation;
import dev.escapement.physics.scene.BoxPile;
import dev.escapement.render.FrameListener;
import dev.escapement.render.FrameView;
import dev.escapement.render.RenderLoop;
import dev.escapement.render.clock.AnimationError;
import dev.escapement.state.time.TickRate;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.joml.Vector3f;

public class Main implements FrameListener {
    static final int BOXES = 40;
    static final AnimationError ERROR = new AnimationError("frames");
    static final CountDownLatch FRAMES = new CountDownLatch(120);

    public static void main(String[] args) throws InterruptedException {
        try (PhysicsService physics = PhysicsService.builder(new Ode4jSimulation(new BoxPile(BOXES))).start();
                RenderLoop loop = RenderLoop.start(
                        FrameView.of(physics.newReader()), Main::print, TickRate.hertz(30), new Main())) {
            boolean all = FRAMES.await(30, TimeUnit.SECONDS);
            System.out.printf("%s, animation error mean %.3f ms, p99 %.3f ms%n",
                    all ? "all frames" : "failed: " + physics.failure() + loop.failure(),
                    ERROR.meanNanos() / 1e6, ERROR.percentileNanos(99) / 1e6);
        }
    }

    static void print(FrameView view) {
        char[][] rows = new char[14][60];
        Arrays.stream(rows).forEach(row -> Arrays.fill(row, ' '));
        Vector3f at = new Vector3f();
        for (int box = 0; box < BOXES; box++) {
            view.position(box, at);
            rows[Math.max(0, 13 - (int) at.y)][Math.min(59, Math.max(0, 30 + (int) (4 * at.x)))] = '#';
        }
        System.out.print("\033[H\033[2J");
        Arrays.stream(rows).map(String::new).forEach(System.out::println);
    }

    @Override
    public void drawn(FrameView view, long slotNanos, long completedNanos) {
        ERROR.frame(view.clock().shownSimNanos(), view.window().timeline(), slotNanos);
        FRAMES.countDown();
        if (FRAMES.getCount() == 90) ERROR.reset(); // warm
    }
}
