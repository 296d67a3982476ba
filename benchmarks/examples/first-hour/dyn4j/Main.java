import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.dyn4j.Dyn4jWorldSimulation;
import dev.escapement.render.FrameView;
import dev.escapement.render.lwjgl.GlfwWindow;
import dev.escapement.render.lwjgl.NoDisplayException;
import dev.escapement.render.tools.AnimationError;
import java.util.Arrays;
import org.dyn4j.dynamics.Body;
import org.dyn4j.geometry.Geometry;
import org.dyn4j.geometry.MassType;
import org.dyn4j.world.World;
import org.joml.Vector3f;

public class Main {
    static final AnimationError ERROR = new AnimationError("frames");
    static int frames;

    public static void main(String[] args) throws InterruptedException {
        try (PhysicsService physics = PhysicsService.start(makePile())) {
            try (GlfwWindow window = GlfwWindow.open("First hour", 1280, 720)) {
                window.floor(false); // dyn4j's floor is an attached body, so it is drawn without the window's own floor
                window.camera(new Vector3f(2, 6, 18), new Vector3f(2, 5, 0)); // the camera looks along z at the flat world
                window.show(physics, view -> {
                    measure(view);
                    if (frames == 300) physics.close(); // ends show() for this measurement; leave this line out in a game
                });
            } catch (NoDisplayException noDisplay) {
                print(physics);
            }
        }
        System.out.printf("%d frames, animation error mean %.3f ms, p99 %.3f ms%n",
                frames, ERROR.meanNanos() / 1e6, ERROR.percentileNanos(99) / 1e6);
    }

    static Dyn4jWorldSimulation<Body> makePile() {
        World<Body> world = new World<>();
        Dyn4jWorldSimulation<Body> simulation = new Dyn4jWorldSimulation<>(world);
        for (int box = 0; box < 40; box++) { // box 0 is the floor
            Body body = new Body();
            body.addFixture(box == 0 ? Geometry.createRectangle(60, 1) : Geometry.createSquare(1));
            body.setMass(box == 0 ? MassType.INFINITE : MassType.NORMAL);
            body.translate(box == 0 ? 0 : 1.1 * (box % 4) + 0.02 * box, box == 0 ? -0.5 : 1 + box / 4);
            world.addBody(body);
            simulation.attach(body, box);
        }
        return simulation;
    }

    static void measure(FrameView view) {
        ERROR.frame(view.clock().shownSimNanos(), view.window().timeline(), view.clock().displayNanos());
        frames++;
        if (frames == 50) ERROR.reset(); // the first 50 frames are the warm-up
    }

    /** A render loop of your own: before each frame it asks where the bodies are now. */
    static void print(PhysicsService physics) throws InterruptedException {
        try (FrameView view = FrameView.of(physics.newReader())) {
            while (frames < 120) {
                if (view.advance(System.nanoTime())) {
                    StringBuilder[] rows = new StringBuilder[14];
                    Arrays.setAll(rows, row -> new StringBuilder(" ".repeat(60)));
                    for (int box = 1; box < 40; box++) {
                        Vector3f at = view.positionOfSlot(box, new Vector3f());
                        rows[Math.max(0, 13 - (int) at.y)].setCharAt(Math.min(59, Math.max(0, 25 + (int) (2 * at.x))), '#');
                    }
                    System.out.println("\033[H\033[2J" + String.join("\n", rows));
                    measure(view);
                }
                Thread.sleep(33); // in place of a window's wait for the display
            }
        }
    }
}
