package dev.escapement.bench.view;

import java.awt.image.BufferedImage;
import java.awt.image.IndexColorModel;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageTypeSpecifier;
import javax.imageio.ImageWriter;
import javax.imageio.metadata.IIOMetadata;
import javax.imageio.metadata.IIOMetadataNode;
import javax.imageio.stream.ImageOutputStream;

/**
 * An animated picture without an end, through the GIF writer of the JDK. All frames share one palette, and a frame stores only the pixels
 * that differ from the frame before: the others are transparent.
 */
final class GifFile {

    private GifFile() {}

    /**
     * Encodes frames of one size.
     *
     * @param frames       in order
     * @param centiseconds how long each is shown, in hundredths of a second; browsers refuse less than 2
     * @return the file
     */
    static byte[] of(List<BufferedImage> frames, int centiseconds) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ImageWriter writer = ImageIO.getImageWritersByFormatName("gif").next();
        try (ImageOutputStream out = ImageIO.createImageOutputStream(bytes)) {
            IndexColorModel palette = palette(frames);
            Map<Integer, Byte> nearest = new HashMap<>();
            writer.setOutput(out);
            writer.prepareWriteSequence(null);
            byte[] before = {};
            for (BufferedImage frame : frames) {
                byte[] indices = indices(frame, palette, nearest);
                int width = frame.getWidth();
                int height = frame.getHeight();
                BufferedImage changed = new BufferedImage(width, height, BufferedImage.TYPE_BYTE_INDEXED, palette);
                byte[] changes = changes(indices, before, (byte) palette.getTransparentPixel());
                changed.getRaster().setDataElements(0, 0, width, height, changes);
                IIOMetadata metadata = metadata(writer, changed, centiseconds, before.length == 0);
                writer.writeToSequence(new IIOImage(changed, null, metadata), null);
                before = indices;
            }
            writer.endWriteSequence();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot encode the animated picture", e);
        } finally {
            writer.dispose();
        }
        return bytes.toByteArray();
    }

    /** The one that the JDK chooses for all frames below each other, and a row that is transparent. */
    private static IndexColorModel palette(List<BufferedImage> frames) throws IOException {
        int width = frames.get(0).getWidth();
        int height = frames.get(0).getHeight();
        BufferedImage all = new BufferedImage(width, frames.size() * height + 1, BufferedImage.TYPE_INT_ARGB);
        for (int i = 0; i < frames.size(); i++) {
            all.setRGB(0, i * height, width, height, pixels(frames.get(i)), 0, width);
        }
        ByteArrayOutputStream gif = new ByteArrayOutputStream();
        ImageIO.write(all, "gif", gif);
        BufferedImage indexed = ImageIO.read(new ByteArrayInputStream(gif.toByteArray()));
        return (IndexColorModel) indexed.getColorModel();
    }

    private static byte[] indices(BufferedImage frame, IndexColorModel palette, Map<Integer, Byte> nearest) {
        int[] pixels = pixels(frame);
        byte[] indices = new byte[pixels.length];
        for (int i = 0; i < pixels.length; i++) {
            indices[i] = nearest.computeIfAbsent(pixels[i], rgb -> ((byte[]) palette.getDataElements(rgb, null))[0]);
        }
        return indices;
    }

    private static byte[] changes(byte[] indices, byte[] before, byte transparent) {
        byte[] changed = indices.clone();
        for (int i = 0; i < before.length; i++) {
            if (indices[i] == before[i]) {
                changed[i] = transparent;
            }
        }
        return changed;
    }

    private static int[] pixels(BufferedImage frame) {
        return frame.getRGB(0, 0, frame.getWidth(), frame.getHeight(), null, 0, frame.getWidth());
    }

    private static IIOMetadata metadata(ImageWriter writer, BufferedImage image, int centiseconds, boolean first)
            throws IOException {
        // Not that of the image's type, which has a palette of the JDK's own.
        IIOMetadata metadata = writer.getDefaultImageMetadata(new ImageTypeSpecifier(image), null);
        String format = metadata.getNativeMetadataFormatName();
        IIOMetadataNode root = new IIOMetadataNode(format);
        IIOMetadataNode control = child(root, "GraphicControlExtension");
        control.setAttribute("disposalMethod", "doNotDispose");
        control.setAttribute("userInputFlag", "FALSE");
        control.setAttribute("transparentColorFlag", "TRUE");
        int transparent = ((IndexColorModel) image.getColorModel()).getTransparentPixel();
        control.setAttribute("transparentColorIndex", Integer.toString(transparent));
        control.setAttribute("delayTime", Integer.toString(centiseconds));
        if (first) {
            IIOMetadataNode loop = child(child(root, "ApplicationExtensions"), "ApplicationExtension");
            loop.setAttribute("applicationID", "NETSCAPE");
            loop.setAttribute("authenticationCode", "2.0");
            loop.setUserObject(new byte[] {1, 0, 0}); // again and again
        }
        metadata.mergeTree(format, root);
        return metadata;
    }

    private static IIOMetadataNode child(IIOMetadataNode of, String name) {
        IIOMetadataNode added = new IIOMetadataNode(name);
        of.appendChild(added);
        return added;
    }
}
