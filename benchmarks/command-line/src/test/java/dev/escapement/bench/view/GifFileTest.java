package dev.escapement.bench.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.metadata.IIOMetadataNode;
import javax.imageio.stream.ImageInputStream;
import org.junit.jupiter.api.Test;

class GifFileTest {

    private static final int SIZE = 32;

    @Test
    void shouldPlayBackWhatWentIn() throws Exception {
        List<BufferedImage> frames = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            BufferedImage frame = new BufferedImage(SIZE, SIZE, BufferedImage.TYPE_INT_RGB);
            Graphics2D to = frame.createGraphics();
            to.setColor(new Color(20, 60, 200));
            to.fillRect(0, 0, SIZE, SIZE);
            to.setColor(new Color(250, 200, 10));
            to.fillRect(5 * i, 10, 6, 6); // moves, and leaves the ground behind
            to.dispose();
            frames.add(frame);
        }
        byte[] gif = GifFile.of(frames, 3);

        assertThat(new String(gif, 0, 6, StandardCharsets.US_ASCII)).isEqualTo("GIF89a");
        assertThat(new String(gif, StandardCharsets.ISO_8859_1)).as("for ever").contains("NETSCAPE2.0");
        try (ImageInputStream in = ImageIO.createImageInputStream(new ByteArrayInputStream(gif))) {
            ImageReader reader = ImageIO.getImageReadersByFormatName("gif").next();
            reader.setInput(in);
            assertThat(reader.getNumImages(true)).isEqualTo(frames.size());
            BufferedImage screen = new BufferedImage(SIZE, SIZE, BufferedImage.TYPE_INT_RGB);
            for (int i = 0; i < frames.size(); i++) {
                screen.createGraphics().drawImage(reader.read(i), 0, 0, null);
                assertThat(screen.getRGB(0, 0, SIZE, SIZE, null, 0, SIZE))
                        .as("frame " + i)
                        .isEqualTo(frames.get(i).getRGB(0, 0, SIZE, SIZE, null, 0, SIZE));
                IIOMetadataNode root =
                        (IIOMetadataNode) reader.getImageMetadata(i).getAsTree("javax_imageio_gif_image_1.0");
                IIOMetadataNode control = (IIOMetadataNode)
                        root.getElementsByTagName("GraphicControlExtension").item(0);
                assertThat(control.getAttribute("delayTime")).isEqualTo("3");
            }
            reader.dispose();
        }
        assertThat(GifFile.of(frames, 3)).isEqualTo(gif);
    }

    @Test
    void shouldComeNearToMoreColoursThanThereIsRoomFor() throws Exception {
        BufferedImage frame = new BufferedImage(256, 4, BufferedImage.TYPE_INT_RGB);
        for (int x = 0; x < 256; x++) {
            for (int y = 0; y < 4; y++) {
                frame.setRGB(x, y, new Color(x, 255 - x, 64 * y).getRGB());
            }
        }
        BufferedImage seen = ImageIO.read(new ByteArrayInputStream(GifFile.of(List.of(frame), 2)));
        for (int x = 0; x < 256; x++) {
            Color wanted = new Color(frame.getRGB(x, 1));
            Color got = new Color(seen.getRGB(x, 1));
            assertThat(Math.abs(got.getRed() - wanted.getRed())).isLessThan(24);
            assertThat(Math.abs(got.getGreen() - wanted.getGreen())).isLessThan(24);
        }
    }
}
