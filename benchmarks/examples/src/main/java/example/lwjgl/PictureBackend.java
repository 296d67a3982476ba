package example.lwjgl;

import dev.escapement.render.FrameView;
import dev.escapement.render.RenderBackend;
import dev.escapement.render.lwjgl.OffscreenPicture;
import dev.escapement.render.lwjgl.SceneView;
import java.awt.image.BufferedImage;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** Draws every frame into memory, without a display, and counts down the number of frames. */
final class PictureBackend implements RenderBackend {

    private static final int WIDTH = 640;
    private static final int HEIGHT = 360;

    private final SceneView scene;
    private final CountDownLatch framesLeft;
    private @Nullable OffscreenPicture picture;

    // Volatile: the render thread writes it, and the thread that waits for the picture reads it.
    private volatile @Nullable BufferedImage last;

    PictureBackend(SceneView scene, CountDownLatch framesLeft) {
        this.scene = scene;
        this.framesLeft = framesLeft;
    }

    @Override
    public void open() {
        picture = OffscreenPicture.open(WIDTH, HEIGHT, scene);
    }

    @Override
    public void draw(FrameView view) {
        if (picture != null) {
            last = picture.render(view.poses());
            framesLeft.countDown();
        }
    }

    @Override
    public void close() {
        if (picture != null) {
            picture.close();
        }
    }

    /** The image of the last frame. Any thread. */
    Optional<BufferedImage> last() {
        return Optional.ofNullable(last);
    }
}
