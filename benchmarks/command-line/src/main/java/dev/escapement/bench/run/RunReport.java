package dev.escapement.bench.run;

import dev.escapement.bench.measure.FrameRecorder;
import dev.escapement.bench.report.HtmlPage;
import dev.escapement.bench.report.Plot;
import dev.escapement.bench.run.MainJob.Performance;
import dev.escapement.render.lwjgl.NoOpenGlException;
import dev.escapement.render.lwjgl.OffscreenPicture;
import dev.escapement.render.lwjgl.SceneView;
import dev.escapement.state.snapshot.PoseBlocks;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import javax.imageio.ImageIO;

/** The page of a run, or of one that was watched: figures, plots and a picture of the scene. */
final class RunReport {

    private static final String TEMPLATE = "run-report.html";

    private RunReport() {}

    /**
     * The picture of the scene when the run was over.
     *
     * @param png     in base 64; none if it could not be drawn
     * @param whyNone one line, empty if there is a picture
     */
    record ScenePicture(List<String> png, String whyNone) {

        private static final int WIDTH = 1280;
        private static final int HEIGHT = 720;

        /** Main thread. */
        static ScenePicture of(PoseBlocks poses, SceneView scene) {
            ByteArrayOutputStream png = new ByteArrayOutputStream();
            try (OffscreenPicture picture = OffscreenPicture.open(WIDTH, HEIGHT, scene)) {
                ImageIO.write(picture.render(poses), "png", png);
                return new ScenePicture(List.of(Base64.getEncoder().encodeToString(png.toByteArray())), "");
            } catch (NoOpenGlException e) {
                return new ScenePicture(List.of(), "No picture: " + e.getMessage());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** What a run has to show. */
    static List<Plot> plots(Performance performance) {
        return List.of(
                slotError(performance.frames()),
                Plot.histogram(
                        "Tick lateness",
                        "How late ticks started after they were due.",
                        performance.ticks().lateness()),
                Plot.histogram(
                        "Input to frame",
                        "From the stamp of an input event to the end of the drawing of the first frame it shows in.",
                        performance.frames().inputToFrame(performance.ticks())));
    }

    /** Tells and writes the figures, and then the page: they are there even if drawing fails. Main thread. */
    static void publish(
            Figures figures,
            List<Plot> plots,
            PoseBlocks poses,
            SceneView scene,
            Path json,
            Path page,
            Consumer<String> say) {
        say.accept(figures.text());
        figures.write(json);
        ScenePicture picture = ScenePicture.of(poses, scene);
        write(page, figures, plots, picture);
        if (!picture.whyNone().isEmpty()) {
            say.accept(picture.whyNone());
        }
        say.accept("Report: " + page + "   JSON: " + json);
    }

    /** Writes the page, whole or not at all. */
    static void write(Path file, Figures figures, List<Plot> plots, ScenePicture picture) {
        Map<String, Object> values = new HashMap<>(figures.forPage());
        values.put("plots", plots);
        values.put("pictures", picture.png());
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
}
