package dev.escapement.bench.run;

import dev.escapement.bench.demo.BoxPile;
import dev.escapement.bench.measure.BodyPath;
import dev.escapement.bench.measure.FrameRecorder;
import dev.escapement.bench.report.ConsoleCommand;
import dev.escapement.bench.report.HtmlPage;
import dev.escapement.bench.report.JsonFile;
import dev.escapement.bench.report.LiveOption;
import dev.escapement.bench.report.Plot;
import dev.escapement.bench.report.WholeFile;
import dev.escapement.render.FrameView;
import dev.escapement.render.RenderBackend;
import dev.escapement.render.RenderLoop;
import dev.escapement.render.interpolation.InstanceBuffer;
import dev.escapement.render.interpolation.InstanceFormat;
import dev.escapement.render.lwjgl.GlfwWindow;
import dev.escapement.render.lwjgl.NoDisplayException;
import dev.escapement.render.lwjgl.NoOpenGlException;
import dev.escapement.render.lwjgl.SceneView;
import dev.escapement.render.web.LivePage;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.wire.ReceiverFigure;
import dev.escapement.state.wire.ReceiverSettings;
import dev.escapement.state.wire.SnapshotReceiver;
import dev.escapement.state.wire.udp.Access;
import dev.escapement.state.wire.udp.ClientEndpoint;
import dev.escapement.state.wire.udp.UdpAddress;
import dev.escapement.state.wire.udp.UdpLoop;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code escapement watch}: the world of another process. */
@Command(
        name = "watch",
        sortOptions = false,
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description = {
            "Shows a world that another process serves ('escapement run --serve ADDRESS'), and measures the picture.",
            "It goes on when the server is started again. Exit code: 0 all promises held, 1 a promise was broken or no"
                    + " world came, 2 the input was bad."
        })
@SuppressWarnings("NullAway.Init") // picocli sets the options
public final class WatchCommand extends ConsoleCommand {

    private static final int FPS = 144;
    private static final int SECONDS = 10;
    private static final int MOST_SECONDS = 7 * 24 * 3600;
    private static final int READERS = 2;
    private static final double USUAL_HERTZ = 60;
    private static final int WIDTH = 1280;
    private static final int HEIGHT = 720;
    private static final float SCENE_HEIGHT_METRES = 9;
    private static final long LOOK_NANOS = 2_000_000;
    private static final double MILLION = 1e6;

    @Parameters(paramLabel = "ADDRESS", description = "Where it is served, such as udp:127.0.0.1:20121.")
    private String address;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            description = "How long. Default: 10, in a window or a page at most 600.")
    private @Nullable Integer seconds;

    @Option(names = "--window", description = "Draw in a window. The mouse moves the camera; Esc ends.")
    private boolean window;

    @Mixin
    private LiveOption live;

    @Option(names = "--headless", description = "Make frames without drawing them. This is the default.")
    private boolean headless;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            defaultValue = "target/escapement",
            description = "Folder of watch.html and watch.json.")
    private Path out;

    @Option(
            names = "--json",
            paramLabel = "FILE",
            description = "Where the figures go as JSON. Default: watch.json in the out folder.")
    private @Nullable Path json;

    private TickRate rate = TickRate.hertz(1);
    private @Nullable Plot slotError;

    @Override
    public Integer call() {
        UdpAddress server = ServingStage.localAddress("ADDRESS", address);
        live.check(window);
        if (headless && (window || live.isGiven())) {
            throw new IllegalArgumentException("--headless excludes --window and --live; leave it out");
        }
        int forSeconds = seconds != null ? seconds : window || live.isGiven() ? LiveOption.MOST_SECONDS : SECONDS;
        check("--seconds", forSeconds, 1, MOST_SECONDS);
        Path jsonFile = json == null ? out.resolve("watch.json") : json;
        Path reportFile = out.resolve("watch.html");
        WholeFile.checkWritable("--json", jsonFile);
        WholeFile.checkWritable("--out", reportFile);

        SnapshotReceiver receiver = new SnapshotReceiver(
                new ReceiverSettings(
                        READERS,
                        ReceiverSettings.DEFAULT.mostBodies(),
                        ReceiverSettings.DEFAULT.quantile(),
                        ReceiverSettings.DEFAULT.mostDelayNanos()),
                NanoClock.system());
        try (UdpLoop<ClientEndpoint> client =
                UdpLoop.client(server, ServingStage.WORLD, Access.thisMachine(), receiver, NanoClock.system())) {
            long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(forSeconds);
            BooleanSupplier running =
                    () -> System.nanoTime() - endNanos < 0 && client.failure().isEmpty();
            FrameView view = firstFrame(receiver, running);
            if (view == null) {
                say("No world came from " + server + " in " + forSeconds + " s"
                        + client.failure()
                                .map(failure -> ": " + failure.getMessage())
                                .orElse("")
                        + receiver.problem().map(problem -> ": " + problem).orElse("")
                        + "; serve one there with: escapement run --serve " + server);
                return 1;
            }
            WatchResult result = watch(server, receiver, client, view, forSeconds, running);
            say(result.text());
            JsonFile.write(jsonFile, result);
            Map<String, Object> page = new HashMap<>(result.forPage());
            page.put("plots", List.of(Objects.requireNonNull(slotError)));
            page.put("pictures", List.of());
            page.put("noPicture", "");
            HtmlPage.write(reportFile, HtmlPage.fill(RunReport.class, "run-report.html", page));
            say("Report: " + reportFile + "   JSON: " + jsonFile);
            return result.faults().isEmpty() ? 0 : 1;
        }
    }

    /** Waits for the world. Null if none comes. */
    private @Nullable FrameView firstFrame(SnapshotReceiver receiver, BooleanSupplier running) {
        FrameView view = null;
        while (running.getAsBoolean()) {
            if (view == null && receiver.isReady()) {
                view = FrameView.of(receiver.newReader());
            }
            if (view != null && view.advance(System.nanoTime())) {
                rate = view.window().timeline().rate();
                view.close();
                return FrameView.of(receiver.newReader());
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
        return null;
    }

    private WatchResult watch(
            UdpAddress server,
            SnapshotReceiver receiver,
            UdpLoop<ClientEndpoint> client,
            FrameView view,
            int forSeconds,
            BooleanSupplier running) {
        double warmUpSeconds = Math.min(2, forSeconds / 5.0);
        FrameRecorder frames = new FrameRecorder(
                null,
                0,
                (long) (warmUpSeconds * 1e9),
                new BodyPath(0, forSeconds * 100.0, forSeconds * (double) FPS),
                forSeconds * 100.0,
                forSeconds * (double) FPS);
        long startedNanos = System.nanoTime();
        long bytesBefore = receiver.figure(ReceiverFigure.BYTES);
        RenderLoop loop;
        double fps;
        if (window) {
            try (GlfwWindow shown = openWindow()) {
                fps = shown.refreshHertz().orElse(USUAL_HERTZ);
                loop = RenderLoop.start(view, shown.backend(), TickRate.parse(Double.toString(fps)), frames);
                shown.waitAndDispatch(new InputRing(64, NanoClock.system()), running);
                frames.stop();
                loop.close();
            }
        } else {
            fps = FPS;
            InstanceBuffer instances = new InstanceBuffer(InstanceFormat.POSE);
            RenderBackend backend = frame -> instances.write(frame.interpolator(), 0, 0, 0);
            loop = RenderLoop.start(view, backend, TickRate.hertz(FPS), frames);
            try (LivePage page = live.isGiven()
                    ? LivePage.of(receiver.newReader())
                            .title("Watching " + server)
                            .port(live.port())
                            .start()
                    : null) {
                if (page != null) {
                    say(page.url());
                }
                while (running.getAsBoolean() && loop.failure().isEmpty()) {
                    LockSupport.parkNanos(LOOK_NANOS);
                }
            }
            frames.stop();
            loop.close();
        }
        double watchedSeconds = (System.nanoTime() - startedNanos) / 1e9;
        slotError = Plot.overTime(
                "Animation error by display slot",
                "microseconds",
                "How much further (or less far) the picture moved from one frame to the next than it should have.",
                frames.slotErrorOverTime());
        double playoutMillis = receiver.figure(ReceiverFigure.PLAYOUT_NANOS) / MILLION;
        return new WatchResult(
                server.toString(),
                view.poses().slotCount(),
                rate.inHertz(),
                fps,
                forSeconds,
                warmUpSeconds,
                receiver.figure(ReceiverFigure.TICKS),
                receiver.figure(ReceiverFigure.FILLED_TICKS),
                frames.frames(),
                loop.missedSlots(),
                frames.check().windows(),
                frames.check().tornSnapshots(),
                frames.check().nonConsecutiveWindows(),
                frames.picture().misplacedFrames(),
                frames.picture().uncountedRepeats(),
                frames.holds(),
                frames.allocatedBytesPerFrame(),
                (receiver.figure(ReceiverFigure.BYTES) - bytesBefore) / watchedSeconds,
                receiver.figure(ReceiverFigure.PACKETS),
                receiver.figure(ReceiverFigure.LOST_PACKETS),
                receiver.figure(ReceiverFigure.REFUSED_PACKETS),
                playoutMillis,
                playoutMillis + frames.meter().lookBehind().summary().mean() / 1e3,
                receiver.figure(ReceiverFigure.STREAMS),
                frames.meter().interval().summary(),
                frames.meter().lookBehind().summary(),
                frames.meter().slotError(),
                frames.meter().completionError(),
                System.getProperty("java.vm.name") + " " + System.getProperty("java.version"),
                client.failure().or(loop::failure).map(Throwable::toString).orElse(""));
    }

    /** The world does not say how large it is: a floor for as many boxes. */
    private static GlfwWindow openWindow() {
        SceneView scene = new SceneView(20, BoxPile.HALF_EXTENT, SCENE_HEIGHT_METRES, 1);
        try {
            return GlfwWindow.open("Escapement", WIDTH, HEIGHT, scene);
        } catch (NoDisplayException | NoOpenGlException e) {
            throw new IllegalArgumentException("--window: " + e.getMessage(), e);
        }
    }
}
