package example.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.badlogic.gdx.math.Vector3;
import com.badlogic.gdx.math.collision.Ray;
import com.github.stephengold.joltjni.Body;
import com.github.stephengold.joltjni.BodyInterface;
import com.github.stephengold.joltjni.BoxShape;
import com.github.stephengold.joltjni.RVec3;
import com.github.stephengold.joltjni.enumerate.EActivation;
import com.github.stephengold.joltjni.enumerate.EMotionType;
import com.jme3.renderer.Camera;
import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.jolt.JoltWorldSimulation;
import dev.escapement.physics.query.QueryFilter;
import dev.escapement.physics.query.QueryHits;
import dev.escapement.physics.query.QueryWorld;
import dev.escapement.render.FrameView;
import dev.escapement.render.tools.History;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.time.ManualClock;
import example.jme.PickingAccess;
import org.joml.Matrix4f;
import org.joml.Vector3f;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Checks the statements of physics-thread/docs/ask.md. */
class AskingTheWorldTest {

    private static final Vector3f EYE = new Vector3f(0, 2, 20);
    private static final int WIDTH = 640;
    private static final int HEIGHT = 480;

    private final ManualClock clock = new ManualClock(0);
    private final History history = new History(100, 1 << 24);
    private JoltWorldSimulation simulation;
    private Body crate;
    private InlineDriver driver;
    private SnapshotReader reader;
    private FrameView view;
    private QueryWorld queries;
    private AskingTheWorld asking;

    @SuppressWarnings("NullAway.Init") // start() sets the fields
    AskingTheWorldTest() {}

    /** A crate that stands still at (3, 2, 0), 2 m above the ground. */
    @BeforeEach
    void start() {
        simulation = OwnJoltWorld.makeWorld();
        BodyInterface bodies = simulation.world().getBodyInterface();
        crate = OwnJoltWorld.addBox(bodies, new BoxShape(0.5f), 3, 2, EMotionType.Kinematic);
        simulation.attach(crate, 7);
        driver = PhysicsService.builder(simulation).inline(clock);
        reader = driver.newReader();
        view = FrameView.inline(driver.newReader());
        queries = simulation.queryWorld(100);
        asking = new AskingTheWorld(queries);
        run(5);
    }

    @AfterEach
    void close() {
        asking.close();
        view.close();
        driver.close();
    }

    private void run(int ticks) {
        for (int i = 0; i < ticks; i++) {
            clock.advance(10_000_000);
            driver.runDueTicks();
            AskingTheWorld.remember(reader, history);
        }
        view.advance(clock.nanoTime());
        asking.frame(view);
    }

    private long crateId() {
        return simulation.idOf(crate);
    }

    @Test
    void shouldFindTheBodyUnderTheCursor() {
        Matrix4f worldToClip = new Matrix4f()
                .perspective((float) Math.toRadians(45), (float) WIDTH / HEIGHT, 0.1f, 100)
                .translate(-EYE.x, -EYE.y, -EYE.z);
        Vector3f seen = worldToClip.project(3, 2, 0.5f, new int[] {0, 0, WIDTH, HEIGHT}, new Vector3f());
        assertThat(asking.underCursor(worldToClip, seen.x, HEIGHT - seen.y, WIDTH, HEIGHT))
                .isEqualTo(crateId());
        assertThat(asking.underCursor(worldToClip, seen.x + 60, HEIGHT - seen.y, WIDTH, HEIGHT))
                .isNotEqualTo(crateId());
    }

    @Test
    void shouldFindItInJMonkeyEngineAndInLibGdx() {
        Camera camera = new Camera(WIDTH, HEIGHT);
        camera.setFrustumPerspective(45, (float) WIDTH / HEIGHT, 0.1f, 100);
        camera.setLocation(new com.jme3.math.Vector3f(EYE.x, EYE.y, EYE.z));
        camera.lookAt(new com.jme3.math.Vector3f(EYE.x, EYE.y, 0), com.jme3.math.Vector3f.UNIT_Y);
        com.jme3.math.Vector3f seen = camera.getScreenCoordinates(new com.jme3.math.Vector3f(3, 2, 0.5f));
        QueryHits hits = new QueryHits();
        assertThat(PickingAccess.underCursor(queries, camera, seen.x, seen.y, hits))
                .isEqualTo(crateId());
        assertThat(hits.userData(0)).isEqualTo(7);

        Vector3 eye = new Vector3(EYE.x, EYE.y, EYE.z);
        assertThat(asking.underCursor(new Ray(eye, new Vector3(3, 2, 0.5f).sub(eye))))
                .isEqualTo(crateId());
    }

    @Test
    void shouldJudgeAShotAtTheMomentAndWithTheShapeThatTheShooterSaw() {
        long tick = history.newestTick();
        BodyInterface bodies = simulation.world().getBodyInterface();
        bodies.setShape(crate.getId(), new BoxShape(2), false, EActivation.Activate);
        simulation.reshaped(crate);
        run(1);
        bodies.setPosition(crate.getId(), new RVec3(50, 2, 0), EActivation.Activate);
        simulation.teleported(crate);
        run(20);
        Vector3f from = new Vector3f(3, 3, 20); // above the small crate, and within the large one
        Vector3f way = new Vector3f(0, 0, -40);
        assertThat(asking.judge(history, tick, 0, from, way, 0)).as("small").isZero();
        assertThat(asking.judge(history, tick + 1, 0, from, way, 0)).isEqualTo(crateId());
        assertThat(asking.judge(history, tick + 1, 0, from, way, crateId()))
                .as("own")
                .isZero();
        assertThat(asking.judge(history, history.newestTick(), 0, from, way, 0))
                .as("gone")
                .isZero();
    }

    @Test
    void shouldStopACameraAtAWall() {
        float free = asking.freeArm(new Vector3f(0, 2, 0), new Vector3f(10, 0, 0), QueryFilter.ALL);
        assertThat(10 * free).isCloseTo(2.5f - 0.3f, within(1e-3f));
        assertThat(asking.freeArm(new Vector3f(0, 2, 3), new Vector3f(10, 0, 0), QueryFilter.ALL))
                .isEqualTo(1);
    }

    @Test
    void shouldMeasureAllAround() {
        float[] metres = new float[64];
        asking.scan(new Vector3f(0, 2, 0), metres, QueryFilter.ALL.only((id, userData) -> userData == 7));
        assertThat(metres[0]).isCloseTo(2.5f, within(1e-3f));
        assertThat(metres[1]).isCloseTo((float) (2.5 / Math.cos(Math.PI / 32)), within(1e-3f));
        assertThat(metres[32]).isInfinite();
    }

    @Test
    void shouldSayWhereAWallFits() {
        assertThat(asking.mayBuild(3, 2, 0)).isFalse();
        assertThat(asking.mayBuild(3, 2, 0.9)).isTrue();
    }
}
