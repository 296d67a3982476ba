package dev.escapement.render.jme;

import static org.assertj.core.api.Assertions.assertThat;

import com.jme3.app.SimpleApplication;
import com.jme3.app.state.AppState;
import com.jme3.renderer.RenderManager;
import com.jme3.scene.Node;
import com.jme3.scene.Spatial;
import com.jme3.system.JmeContext;
import dev.escapement.render.FrameView;
import dev.escapement.state.capture.CapturedWorld;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.time.ManualClock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.joml.Vector3f;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A whole application of the engine's, without a display: its own thread, its own order of things in a frame. */
class ApplicationTest {

    private static final long TICK_NANOS = CapturedWorld.RATE.nanosAt(1);
    private static final int FRAMES = 40;

    /** Kept, because an unreferenced logger loses its level when it is garbage-collected. */
    private static final Logger ENGINE = Logger.getLogger("com.jme3");

    @BeforeAll
    static void leaveOutLoadersThatAreNotHere() {
        ENGINE.setLevel(Level.SEVERE);
    }

    @Test
    void shouldShowTheSameMomentEverywhereInAFrame() throws InterruptedException {
        Game game = new Game();
        game.start(JmeContext.Type.Headless);
        game.ended.await();
        assertThat(game.failure).isNull();
        assertThat(game.shown).hasSizeGreaterThan(FRAMES / 2).doesNotHaveDuplicates();
        // The second body's spatial is the factory's, and gone in the end.
        assertThat(game.crates).containsExactly("crate 1", "crate 2");
        assertThat(game.getRootNode().getChildren())
                .extracting(Spatial::getName)
                .containsExactly("crate 1");
    }

    private static final class Game extends SimpleApplication {

        final CountDownLatch ended = new CountDownLatch(1);
        final List<Float> shown = new ArrayList<>();
        final List<String> crates = new ArrayList<>();

        @Nullable
        Throwable failure;

        private final ManualClock clock = new ManualClock(0);
        private final CapturedWorld world = new CapturedWorld(1, 2, PoseLayout.PLAIN);
        private final FrameView view = FrameView.inline(world.newReader());
        private int frames;

        Game() {
            super(new AppState[0]);
        }

        @Override
        public void simpleInitApp() {
            BodySpatials spatials = new BodySpatials(view, rootNode, (bodyId, userData) -> {
                crates.add("crate " + userData);
                return new Node("crate " + userData);
            });
            stateManager.attach(new BodiesAppState(spatials, clock));
        }

        /** The next frame's app states see snapshots that are published here. */
        @Override
        public void simpleUpdate(float secondsPerFrame) {
            if (view.hasWindow()) {
                Vector3f p = view.positionOfSlot(0, new Vector3f());
                assertThat(rootNode.getChild("crate 1").getLocalTranslation().x).isEqualTo(p.x);
                assertThat(rootNode.getChild("crate 2") != null)
                        .isEqualTo(view.shown().tick() >= 5 && view.shown().tick() < 9);
                shown.add(p.x);
            }
            clock.advance(TICK_NANOS / 3);
            while (world.timeline().dueNanos(world.ticks() + 1) <= clock.nanoTime()) {
                tick();
            }
        }

        @Override
        public void simpleRender(RenderManager renderManager) {
            frames++;
            if (frames == FRAMES) {
                stop();
            }
        }

        private void tick() {
            long next = world.ticks() + 1;
            world.tick(poses -> {
                if (next == 1) {
                    poses.spawn(1);
                }
                if (next == 5) {
                    poses.set(BodyId.slot(poses.spawn(2)), 0, 5, 0, 0, 0, 0, 1);
                }
                if (next == 9) {
                    poses.despawn(BodyId.of(1, 1));
                }
                poses.set(0, (float) next, 0, 0, 0, 0, 0, 1);
            });
        }

        @Override
        public void handleError(String message, Throwable thrown) {
            failure = thrown;
            ended.countDown(); // the thread ends here, and destroy() is not called
        }

        @Override
        public void destroy() {
            super.destroy();
            view.close();
            ended.countDown();
        }
    }
}
