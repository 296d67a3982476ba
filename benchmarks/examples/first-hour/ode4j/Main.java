import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.ode4j.Ode4jWorldSimulation;
import dev.escapement.render.FrameListener;
import dev.escapement.render.FrameView;
import dev.escapement.render.RenderLoop;
import dev.escapement.render.clock.AnimationError;
import dev.escapement.state.time.TickRate;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.joml.Vector3f;
import org.ode4j.ode.*;

public class Main implements FrameListener {
    static final int BOXES = 40;
    static final AnimationError ERROR = new AnimationError("frames");
    static final CountDownLatch FRAMES = new CountDownLatch(120);

    public static void main(String[] args) throws InterruptedException {
        Ode4jWorldSimulation simulation = makePile();
        try (PhysicsService physics = PhysicsService.builder(simulation).start();
                RenderLoop loop = RenderLoop.start(
                        FrameView.of(physics.newReader()), Main::print, TickRate.hertz(30), new Main())) {
            boolean all = FRAMES.await(30, TimeUnit.SECONDS);
            System.out.printf("%s, animation error mean %.3f ms, p99 %.3f ms%n",
                    all ? "all frames" : "failed: " + physics.failure() + loop.failure(),
                    ERROR.meanNanos() / 1e6, ERROR.percentileNanos(99) / 1e6);
        }
    }

    static Ode4jWorldSimulation makePile() {
        OdeHelper.initODE2(0);
        DWorld world = OdeHelper.createWorld();
        world.setGravity(0, -9.81, 0);
        DSpace space = OdeHelper.createHashSpace();
        DJointGroup contacts = OdeHelper.createJointGroup();
        OdeHelper.createPlane(space, 0, 1, 0, 0);
        Ode4jWorldSimulation simulation = new Ode4jWorldSimulation(world, contacts,
                () -> space.collide(null, (data, one, other) -> join(world, contacts, one, other)), DWorld::quickStep);
        DMass mass = OdeHelper.createMass();
        mass.setBoxTotal(100, 1, 1, 1);
        for (int box = 0; box < BOXES; box++) {
            DBody body = OdeHelper.createBody(world);
            body.setMass(mass);
            body.setPosition(1.25 * (box % 4) + 0.02 * box, 1 + 1.25 * (box / 8), 1.25 * (box / 4 % 2));
            OdeHelper.createBox(space, 1, 1, 1).setBody(body);
            simulation.attach(body, box);
        }
        return simulation;
    }

    static void join(DWorld world, DJointGroup contacts, DGeom one, DGeom other) { // ODE leaves this to the game
        DContactBuffer buffer = new DContactBuffer(8);
        int count = OdeHelper.collide(one, other, 8, buffer.getGeomBuffer());
        for (int i = 0; i < count; i++) {
            buffer.get(i).surface.mode = OdeConstants.dContactApprox1;
            buffer.get(i).surface.mu = 0.5;
            OdeHelper.createContactJoint(world, contacts, buffer.get(i)).attach(one.getBody(), other.getBody());
        }
    }

    static void print(FrameView view) {
        char[][] rows = new char[14][60];
        Arrays.stream(rows).forEach(row -> Arrays.fill(row, ' '));
        Vector3f at = new Vector3f();
        for (int box = 0; box < BOXES; box++) {
            view.positionOfSlot(box, at);
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
