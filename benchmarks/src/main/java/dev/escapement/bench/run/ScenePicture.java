package dev.escapement.bench.run;

import dev.escapement.render.lwjgl.NoOpenGlException;
import dev.escapement.render.lwjgl.OffscreenPicture;
import dev.escapement.render.lwjgl.SceneView;
import dev.escapement.state.snapshot.PoseBlocks;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import javax.imageio.ImageIO;

/** The picture of the scene, drawn when the run is over, or the reason why there is none. */
final class ScenePicture {

    private static final int WIDTH = 1280;
    private static final int HEIGHT = 720;

    private final byte[] png;
    private final String whyNone;

    private ScenePicture(byte[] png, String whyNone) {
        this.png = png;
        this.whyNone = whyNone;
    }

    /** Main thread. */
    static ScenePicture of(PoseBlocks poses, SceneView scene) {
        try (OffscreenPicture picture = OffscreenPicture.open(WIDTH, HEIGHT, scene)) {
            ByteArrayOutputStream png = new ByteArrayOutputStream();
            ImageIO.write(picture.render(poses), "png", png);
            return new ScenePicture(png.toByteArray(), "");
        } catch (NoOpenGlException e) {
            return new ScenePicture(new byte[0], "No picture: " + e.getMessage());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The picture, empty if there is none. */
    byte[] png() {
        return png;
    }

    /** One line, empty if there is a picture. */
    String whyNone() {
        return whyNone;
    }
}
