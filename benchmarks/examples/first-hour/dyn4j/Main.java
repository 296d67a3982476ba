import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.dyn4j.Dyn4jWorldSimulation;
import dev.escapement.render.FrameListener;
import dev.escapement.render.FrameView;
import dev.escapement.render.RenderLoop;
import dev.escapement.render.tools.AnimationError;
import dev.escapement.state.time.TickRate;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.dyn4j.dynamics.Body;
import org.dyn4j.geometry.Geometry;
import org.dyn4j.geometry.MassType;
import org.dyn4j.world.World;
import org.joml.Vector3f;

public class Main implements FrameListener {
    static final AnimationError ERROR = new AnimationError("frames");
    static final CountDownLatch FRAMES = new CountDownLatch(120);

    public static void main(String[] args) throws InterruptedException {
        World<Body> world = new World<>();
        Dyn4jWorldSimulation<Body> simulation = new Dyn4jWorldSimulation<>(world);
        for (int box = 0; box < 40; box++) { // the first one is the floor
            Body body = new Body();
            body.addFixture(box == 0 ? Geometry.createRectangle(60, 1) : Geometry.createSquare(1));
            body.setMass(box == 0 ? MassType.INFINITE : MassType.NORMAL);
            body.translate(box == 0 ? 0 : 1.1 * (box % 4) + 0.02 * box, box == 0 ? -0.5 : 1 + box / 4);
            world.addBody(body);
            simulation.attach(body, box);
        }
        try (PhysicsService physics = PhysicsService.builder(simulation).start();
                RenderLoop loop = RenderLoop.start(
                        FrameView.of(physics.newReader()), Main::print, TickRate.hertz(30), new Main())) {
            System.out.printf("%s, animation error mean %.3f ms, p99 %.3f ms%n",
                    FRAMES.await(30, TimeUnit.SECONDS) ? "all frames" : "failed: " + physics.failure() + loop.failure(),
                    ERROR.meanNanos() / 1e6, ERROR.percentileNanos(99) / 1e6);
        }
    }

    static void print(FrameView view) {
        StringBuilder[] rows = new StringBuilder[14];
        Arrays.setAll(rows, row -> new StringBuilder(" ".repeat(60)));
        for (int box = 1; box < 40; box++) {
            Vector3f at = view.positionOfSlot(box, new Vector3f());
            rows[Math.max(0, 13 - (int) at.y)].setCharAt(Math.min(59, Math.max(0, 25 + (int) (2 * at.x))), '#');
        }
        System.out.println("\033[H\033[2J" + String.join("\n", rows));
    }

    @Override
    public void drawn(FrameView view, long slotNanos, long completedNanos) {
        ERROR.frame(view.clock().shownSimNanos(), view.window().timeline(), slotNanos);
        FRAMES.countDown();
        if (FRAMES.getCount() == 90) ERROR.reset(); // warm
    }
}
