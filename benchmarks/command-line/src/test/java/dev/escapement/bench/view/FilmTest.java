package dev.escapement.bench.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.view.Film.Reel;
import dev.escapement.render.lwjgl.NoOpenGlException;
import java.awt.image.BufferedImage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.stream.ImageInputStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

class FilmTest {

    private static final int MOST_BYTES = 1_000_000;

    /** In the middle of the picture: neither titles nor strips, which change with every frame. */
    private static final int TOP = 30;

    private static final int BOTTOM = 200;

    @Test
    void shouldShowTheStutterOnTheLeftAndNoneOnTheRightTheSameInEveryRun() {
        Reel reel = shoot();
        List<BufferedImage> frames = reel.frames();
        assertThat(frames).hasSize(Film.FRAMES);
        assertThat(reel.leftMillis()).as("visible").isGreaterThan(2);
        assertThat(reel.rightMillis()).as("not visible").isLessThan(0.1);

        // From the pixels, which no clock has chosen: where nothing moves from one frame to the next, the picture stood
        // still.
        int half = Film.WIDTH / 2;
        assertThat(stoodStill(frames, 0, 19 * half / 20)).as("left").isGreaterThan(Film.FRAMES / 5);
        assertThat(stoodStill(frames, half + 1, 19 * half / 20)).as("right").isZero();

        byte[] gif = GifFile.of(frames, Film.FRAME_CENTISECONDS);
        assertThat(gif.length).isLessThanOrEqualTo(MOST_BYTES);
        assertThat(GifFile.of(shoot().frames(), Film.FRAME_CENTISECONDS)).isEqualTo(gif);
    }

    @Test
    void shouldBeSmallWhereThePagesShowIt() throws Exception {
        Path film = Path.of("..", "docs", "film.gif");
        assertThat(Files.size(film)).isLessThanOrEqualTo(MOST_BYTES);
        try (ImageInputStream in = ImageIO.createImageInputStream(film.toFile())) {
            ImageReader reader = ImageIO.getImageReadersByFormatName("gif").next();
            reader.setInput(in);
            assertThat(reader.getNumImages(true)).isEqualTo(Film.FRAMES);
            assertThat(reader.getWidth(0)).isEqualTo(Film.WIDTH);
            assertThat(reader.getHeight(0)).isEqualTo(Film.HEIGHT);
            reader.dispose();
        }
        assertThat(Film.FRAME_CENTISECONDS).as("browsers refuse less").isGreaterThanOrEqualTo(2);
    }

    /** The trail is a picture of the frames before and moves by itself, so that only what lies below it is looked at. */
    private static int stoodStill(List<BufferedImage> frames, int x, int width) {
        int still = 0;
        for (int frame = 1; frame < frames.size(); frame++) {
            if (Arrays.equals(courierIn(frames.get(frame - 1), x, width), courierIn(frames.get(frame), x, width))) {
                still++;
            }
        }
        return still;
    }

    private static int[] courierIn(BufferedImage frame, int x, int width) {
        int[] pixels = frame.getRGB(x, TOP, width, BOTTOM - TOP, null, 0, width);
        // The courier in front and the floor beside it: the lowest rows of the scene.
        return Arrays.copyOfRange(pixels, pixels.length - 42 * width, pixels.length);
    }

    private static Reel shoot() {
        try {
            return Film.shoot();
        } catch (NoOpenGlException missing) {
            return Assumptions.abort(missing.getMessage());
        }
    }
}
