package dev.escapement.bench.run;

import dev.escapement.bench.measure.BodyPath;
import dev.escapement.bench.measure.FrameRecorder;
import dev.escapement.bench.measure.Series;
import dev.escapement.bench.report.HtmlPage;
import dev.escapement.bench.report.Plot;
import dev.escapement.bench.report.Plot.Colour;
import dev.escapement.bench.report.Plot.Curve;
import dev.escapement.bench.report.Plot.Style;
import dev.escapement.bench.run.MainJob.Performance;
import dev.escapement.render.lwjgl.NoOpenGlException;
import dev.escapement.render.lwjgl.OffscreenPicture;
import dev.escapement.render.lwjgl.SceneView;
import dev.escapement.state.snapshot.PoseBlocks;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.imageio.ImageIO;
import org.jspecify.annotations.Nullable;

/** The page of a run: figures, plots and a picture of the scene. */
final class RunReport {

    private static final String TEMPLATE = "run-report.html";
    private static final double PATH_SECONDS = 0.33;

    private RunReport() {}

    /**
     * The picture of the scene when the run was over.
     *
     * @param image   null if there is none
     * @param whyNone one line, empty if there is a picture
     */
    record ScenePicture(@Nullable BufferedImage image, String whyNone) {

        private static final int WIDTH = 1280;
        private static final int HEIGHT = 720;

        /** Main thread. */
        static ScenePicture of(PoseBlocks poses, SceneView scene) {
            try (OffscreenPicture picture = OffscreenPicture.open(WIDTH, HEIGHT, scene)) {
                return new ScenePicture(picture.render(poses), "");
            } catch (NoOpenGlException e) {
                return new ScenePicture(null, "No picture: " + e.getMessage());
            }
        }

        /** The picture as a file, if there is one. */
        Optional<byte[]> png() {
            if (image == null) {
                return Optional.empty();
            }
            ByteArrayOutputStream png = new ByteArrayOutputStream();
            try {
                ImageIO.write(image, "png", png);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return Optional.of(png.toByteArray());
        }
    }

    /** Writes the page of a run, whole or not at all. */
    static void write(Path file, Performance performance, ScenePicture picture) {
        write(file, performance.result().figures(), plots(performance), picture);
    }

    /** Writes a page like that of a run, whole or not at all. */
    static void write(Path file, Figures figures, List<Plot> plots, ScenePicture picture) {
        Map<String, Object> values = new HashMap<>(figures.forPage());
        values.put("plots", plots);
        values.put(
                "pictures",
                picture.png().map(Base64.getEncoder()::encodeToString).stream().toList());
        values.put("noPicture", picture.whyNone());
        HtmlPage.write(file, HtmlPage.fill(RunReport.class, TEMPLATE, values));
    }

    /** How evenly the picture moved. */
    static Plot slotError(FrameRecorder frames) {
        return Plot.overTime(
                "Animation error by display slot",
                "microseconds",
                "How much further (or less far) the picture moved from one frame to the next than it should have, read"
                        + " off a body drawn at constant velocity, where there is one. The start shows the cover for the publish delay being"
                        + " learned; 200 us is a good single GPU, 2000 us visible stutter.",
                frames.slotErrorOverTime());
    }

    private static List<Plot> plots(Performance performance) {
        return List.of(
                path(performance.path()),
                slotError(performance.frames()),
                Plot.histogram(
                        "Tick lateness",
                        "How late ticks started after they were due.",
                        performance.ticks().lateness()),
                Plot.histogram(
                        "Step time",
                        "How long the simulation took for one tick.",
                        performance.ticks().step()),
                Plot.histogram(
                        "Publish delay",
                        "From the moment a tick was due to its snapshot being visible to readers.",
                        performance.ticks().publishDelay()),
                Plot.histogram(
                        "Input to snapshot",
                        "From the stamp of an input event to the moment readers can see the tick that includes it: evenly"
                                + " spread over a tick, and the publish delay.",
                        performance.ticks().inputs().toSnapshot()),
                Plot.histogram(
                        "Input to frame",
                        "From the stamp of an input event to the end of the drawing of the first frame it shows in.",
                        performance.frames().inputToFrame(performance.ticks())),
                Plot.histogram(
                        "Frame interval",
                        "Between the ends of two frames; a single peak is an even rhythm.",
                        performance.frames().meter().interval()));
    }

    private static Plot path(BodyPath path) {
        double from = liveliestSecond(path.ticks());
        double to = from + PATH_SECONDS;
        return Plot.curves(
                "One body's path",
                "simulated seconds",
                "height, metres",
                "Orange: the height of one body as it was simulated, a step per tick; a renderer that draws the"
                        + " newest snapshot shows these stairs. Blue: as it was shown, a point per frame. The"
                        + " frames lie on straight lines between ticks, evenly spread.",
                List.of(
                        new Curve("raw ticks", path.ticks().between(from, to), Style.STEPS, Colour.ORANGE),
                        new Curve(
                                "interpolated frames",
                                path.frames().between(from, to),
                                Style.POINTS_ON_LINE,
                                Colour.TEAL)));
    }

    /** Where the third of a second begins in which a body moved most: there ticks and frames are seen apart. */
    private static double liveliestSecond(Series ticks) {
        double[] x = ticks.x();
        double[] y = ticks.y();
        double best = x.length == 0 ? 0 : x[0];
        double most = -1;
        double travel = 0;
        int first = 0;
        for (int last = 1; last < x.length; last++) {
            travel += Math.abs(y[last] - y[last - 1]);
            for (; x[last] - x[first] > PATH_SECONDS; first++) {
                travel -= Math.abs(y[first + 1] - y[first]);
            }
            if (travel > most) {
                most = travel;
                best = x[first];
            }
        }
        return best;
    }
}
