package dev.escapement.bench.view;

import java.awt.image.BufferedImage;
import java.awt.image.IndexColorModel;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageTypeSpecifier;
import javax.imageio.ImageWriter;
import javax.imageio.metadata.IIOInvalidTreeException;
import javax.imageio.metadata.IIOMetadata;
import javax.imageio.metadata.IIOMetadataNode;
import javax.imageio.stream.ImageOutputStream;

/**
 * An animated picture without an end, through the GIF writer of the JDK. All frames share one palette, and a frame stores only the pixels
 * that differ from the frame before: the others are transparent.
 */
final class GifFile {

    private static final int COLOURS = 63;
    private static final int TRANSPARENT = COLOURS;
    private static final int BITS = 6;

    private GifFile() {}

    /**
     * Encodes frames of one size.
     *
     * @param frames       in order
     * @param centiseconds how long each is shown, in hundredths of a second; browsers refuse less than 2
     * @return the file
     */
    static byte[] of(List<BufferedImage> frames, int centiseconds) {
        int[] palette = palette(frames);
        Map<Integer, Byte> nearest = new HashMap<>();
        IndexColorModel colours = colourModel(palette);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ImageWriter writer = ImageIO.getImageWritersByFormatName("gif").next();
        try (ImageOutputStream out = ImageIO.createImageOutputStream(bytes)) {
            writer.setOutput(out);
            writer.prepareWriteSequence(streamMetadata(writer, colours));
            byte[] before = {};
            for (BufferedImage frame : frames) {
                byte[] indices = indices(frame, palette, nearest);
                BufferedImage changed = new BufferedImage(
                        frame.getWidth(), frame.getHeight(), BufferedImage.TYPE_BYTE_INDEXED, colours);
                changed.getRaster()
                        .setDataElements(0, 0, frame.getWidth(), frame.getHeight(), changes(indices, before));
                writer.writeToSequence(
                        new IIOImage(changed, null, metadata(writer, changed, centiseconds, before.length == 0)), null);
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

    private static byte[] changes(byte[] indices, byte[] before) {
        byte[] changed = indices.clone();
        for (int i = 0; i < before.length; i++) {
            if (indices[i] == before[i]) {
                changed[i] = TRANSPARENT;
            }
        }
        return changed;
    }

    private static byte[] indices(BufferedImage frame, int[] palette, Map<Integer, Byte> nearest) {
        int[] pixels = frame.getRGB(0, 0, frame.getWidth(), frame.getHeight(), null, 0, frame.getWidth());
        byte[] indices = new byte[pixels.length];
        for (int i = 0; i < pixels.length; i++) {
            indices[i] = nearest.computeIfAbsent(pixels[i] & 0xFFFFFF, rgb -> nearest(rgb, palette));
        }
        return indices;
    }

    private static byte nearest(int rgb, int[] palette) {
        int best = 0;
        int least = Integer.MAX_VALUE;
        for (int i = 0; i < palette.length; i++) {
            int red = channel(rgb, 2) - channel(palette[i], 2);
            int green = channel(rgb, 1) - channel(palette[i], 1);
            int blue = channel(rgb, 0) - channel(palette[i], 0);
            int distance = 2 * red * red + 4 * green * green + blue * blue;
            if (distance < least) {
                least = distance;
                best = i;
            }
        }
        return (byte) best;
    }

    private static int channel(int rgb, int index) {
        return (rgb >> (8 * index)) & 255;
    }

    private static IndexColorModel colourModel(int[] palette) {
        int[] colours = new int[1 << BITS];
        for (int i = 0; i < palette.length; i++) {
            colours[i] = 0xFF000000 | palette[i];
        }
        return new IndexColorModel(
                BITS, colours.length, colours, 0, true, TRANSPARENT, java.awt.image.DataBuffer.TYPE_BYTE);
    }

    /** A colour and how many pixels have it. */
    private record Count(int rgb, int pixels) {}

    /** Median cut: the set of colours that is widest for its pixels is cut in two, until there are enough. */
    private static int[] palette(List<BufferedImage> frames) {
        Map<Integer, Integer> pixels = new HashMap<>();
        for (BufferedImage frame : frames) {
            for (int rgb : frame.getRGB(0, 0, frame.getWidth(), frame.getHeight(), null, 0, frame.getWidth())) {
                pixels.merge(rgb & 0xFFFFFF, 1, Integer::sum);
            }
        }
        List<Count> all = new ArrayList<>();
        pixels.forEach((rgb, count) -> all.add(new Count(rgb, count)));
        all.sort(Comparator.comparingInt(Count::rgb)); // the map's order must not decide
        PriorityQueue<List<Count>> wide = new PriorityQueue<>(Comparator.comparingDouble(GifFile::weight)
                .reversed()
                .thenComparing(set -> set.get(0).rgb()));
        wide.add(all);
        Deque<List<Count>> single = new ArrayDeque<>();
        while (!wide.isEmpty() && wide.size() + single.size() < COLOURS) {
            List<Count> set = wide.remove();
            if (set.size() == 1) {
                single.add(set);
            } else {
                cut(set, wide);
            }
        }
        single.addAll(wide);
        return single.stream().mapToInt(GifFile::mean).sorted().toArray();
    }

    private static void cut(List<Count> set, PriorityQueue<List<Count>> into) {
        int widest = 0;
        for (int index = 1; index < 3; index++) {
            widest = width(set, index) > width(set, widest) ? index : widest;
        }
        int along = widest;
        List<Count> sorted = new ArrayList<>(set);
        sorted.sort(Comparator.<Count>comparingInt(count -> channel(count.rgb(), along))
                .thenComparingInt(Count::rgb));
        double half =
                sorted.stream().mapToDouble(count -> Math.sqrt(count.pixels())).sum() / 2;
        double sum = 0;
        int at = 0;
        while (at < sorted.size() - 2 && sum < half) {
            sum += Math.sqrt(sorted.get(at++).pixels());
        }
        int end = Math.max(1, at);
        into.add(sorted.subList(0, end));
        into.add(sorted.subList(end, sorted.size()));
    }

    private static int width(List<Count> set, int index) {
        int least = 255;
        int most = 0;
        for (Count count : set) {
            least = Math.min(least, channel(count.rgb(), index));
            most = Math.max(most, channel(count.rgb(), index));
        }
        return most - least;
    }

    private static double weight(List<Count> set) {
        double pixels = set.stream().mapToDouble(Count::pixels).sum();
        int widest = Math.max(width(set, 0), Math.max(width(set, 1), width(set, 2)));
        return widest * Math.cbrt(pixels);
    }

    private static int mean(List<Count> set) {
        double sum = 0;
        double[] channels = new double[3];
        for (Count count : set) {
            sum += count.pixels();
            for (int index = 0; index < 3; index++) {
                channels[index] += (double) channel(count.rgb(), index) * count.pixels();
            }
        }
        int rgb = 0;
        for (int index = 2; index >= 0; index--) {
            rgb = (rgb << 8) | (int) Math.round(channels[index] / sum);
        }
        return rgb;
    }

    private static IIOMetadata streamMetadata(ImageWriter writer, IndexColorModel colours)
            throws IIOInvalidTreeException {
        IIOMetadata metadata = writer.getDefaultStreamMetadata(writer.getDefaultWriteParam());
        String format = metadata.getNativeMetadataFormatName();
        IIOMetadataNode root = (IIOMetadataNode) metadata.getAsTree(format);
        IIOMetadataNode table = child(root, "GlobalColorTable");
        table.setAttribute("sizeOfGlobalColorTable", Integer.toString(colours.getMapSize()));
        table.setAttribute("backgroundColorIndex", "0");
        table.setAttribute("sortFlag", "FALSE");
        for (int i = 0; i < colours.getMapSize(); i++) {
            IIOMetadataNode entry = new IIOMetadataNode("ColorTableEntry");
            entry.setAttribute("index", Integer.toString(i));
            entry.setAttribute("red", Integer.toString(colours.getRed(i)));
            entry.setAttribute("green", Integer.toString(colours.getGreen(i)));
            entry.setAttribute("blue", Integer.toString(colours.getBlue(i)));
            table.appendChild(entry);
        }
        metadata.setFromTree(format, root);
        return metadata;
    }

    private static IIOMetadata metadata(ImageWriter writer, BufferedImage image, int centiseconds, boolean first)
            throws IIOInvalidTreeException {
        IIOMetadata metadata = writer.getDefaultImageMetadata(
                ImageTypeSpecifier.createFromRenderedImage(image), writer.getDefaultWriteParam());
        String format = metadata.getNativeMetadataFormatName();
        IIOMetadataNode root = (IIOMetadataNode) metadata.getAsTree(format);
        root.removeChild(child(root, "LocalColorTable")); // the palette of all frames stands before them
        IIOMetadataNode control = child(root, "GraphicControlExtension");
        control.setAttribute("disposalMethod", "doNotDispose");
        control.setAttribute("userInputFlag", "FALSE");
        control.setAttribute("transparentColorFlag", "TRUE");
        control.setAttribute("transparentColorIndex", Integer.toString(TRANSPARENT));
        control.setAttribute("delayTime", Integer.toString(centiseconds));
        if (first) {
            IIOMetadataNode loop = new IIOMetadataNode("ApplicationExtension");
            loop.setAttribute("applicationID", "NETSCAPE");
            loop.setAttribute("authenticationCode", "2.0");
            loop.setUserObject(new byte[] {1, 0, 0}); // again and again
            child(root, "ApplicationExtensions").appendChild(loop);
        }
        metadata.setFromTree(format, root);
        return metadata;
    }

    private static IIOMetadataNode child(IIOMetadataNode root, String name) {
        for (int i = 0; i < root.getLength(); i++) {
            if (root.item(i).getNodeName().equals(name)) {
                return (IIOMetadataNode) root.item(i);
            }
        }
        IIOMetadataNode added = new IIOMetadataNode(name);
        root.appendChild(added);
        return added;
    }
}
