package dev.escapement.render.libgdx;

import static org.assertj.core.api.Assertions.assertThat;

import com.badlogic.gdx.ApplicationAdapter;
import com.badlogic.gdx.Gdx;
import com.badlogic.gdx.backends.headless.HeadlessApplication;
import com.badlogic.gdx.graphics.g3d.Model;
import com.badlogic.gdx.graphics.g3d.ModelInstance;
import com.badlogic.gdx.math.Vector3;
import dev.escapement.render.FrameView;
import dev.escapement.state.capture.CapturedWorld;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.PoseLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A whole application of libGDX's, without a display: its own thread, its own order of things. */
class ApplicationTest {

    private static final long TICK_NANOS = CapturedWorld.RATE.nanosAt(1);
    private static final int FRAMES = 40;

    @Test
    void shouldShowTheSameMomentEverywhereInAFrame() {
        Game game = new Game();
        new HeadlessApplication(game);
        game.ended.join();
        assertThat(game.shown).hasSizeGreaterThan(FRAMES / 2).doesNotHaveDuplicates();
        assertThat(game.made).containsExactly(1L);
        assertThat(game.crates.instances())
                .extracting(instance -> instance.userData)
                .containsExactly(1L);
    }

    private static final class Game extends ApplicationAdapter {

        final CompletableFuture<Void> ended = new CompletableFuture<>();
        final List<Float> shown = new ArrayList<>();
        final List<Long> made = new ArrayList<>();

        private final CapturedWorld world = new CapturedWorld(1, 2, PoseLayout.PLAIN);
        private final FrameView view = FrameView.inline(world.newReader());
        private final ModelInstance knight = new ModelInstance(new Model());
        private final BodyInstance player = new BodyInstance(view, BodyId.of(0, 1), knight);
        final BodyInstances crates = new BodyInstances(view, this::make);
        private int frames;
        private long nanos;

        private ModelInstance make(long bodyId, long userData) {
            ModelInstance crate = new ModelInstance(new Model());
            crate.userData = userData;
            made.add(userData);
            return crate;
        }

        @Override
        public void render() {
            try {
                renderFrame();
            } catch (Throwable failure) {
                ended.completeExceptionally(failure);
                throw failure;
            }
            frames++;
            if (frames == FRAMES) {
                Gdx.app.exit();
            }
        }

        private void renderFrame() {
            if (crates.advance(nanos)) {
                assertThat(player.update()).isTrue();
                float x = knight.transform.getTranslation(new Vector3()).x;
                ModelInstance crate = crates.instances().first();
                assertThat(crate.userData).isEqualTo(1L);
                assertThat(crate.transform.val).containsExactly(knight.transform.val);
                shown.add(x);
            }
            nanos += TICK_NANOS / 3;
            while (world.timeline().dueNanos(world.ticks() + 1) <= nanos) {
                world.tick(this::capture);
            }
        }

        private void capture(PoseWriter poses) {
            if (world.ticks() == 1) {
                poses.spawn(1);
            }
            poses.set(0, (float) world.ticks(), 0, 0, 0, 0, 0, 1);
        }

        @Override
        public void dispose() {
            view.close();
            ended.complete(null);
        }
    }
}
