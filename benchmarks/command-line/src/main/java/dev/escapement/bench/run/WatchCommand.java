package dev.escapement.bench.run;

import dev.escapement.bench.measure.FrameRecorder;
import dev.escapement.bench.measure.PictureResult;
import dev.escapement.bench.report.ConsoleCommand;
import dev.escapement.bench.report.ProgressLine;
import dev.escapement.render.FrameView;
import dev.escapement.render.RenderLoop;
import dev.escapement.render.lwjgl.SceneView;
import dev.escapement.render.tools.RemoteView;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.wire.ReceiverMetric;
import dev.escapement.state.wire.ReceiverSettings;
import dev.escapement.state.wire.SnapshotReceiver;
import dev.escapement.state.wire.udp.ClientEndpoint.Refusal;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import me.tongfei.progressbar.ProgressBar;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code escapement watch}: shows the world that another process serves. */
@Command(
        name = "watch",
        abbreviateSynopsis = true,
        description = {
            "Shows a world that another process serves ('run --serve ADDRESS'), and measures the picture.",
            "Continues after a restart of the server, and ends immediately if the server refuses it. Over Aeron any number of processes can"
                    + " watch, and none can push. Exit code: 0 all promises held, 1 a promise was broken, no world came, or it was"
                    + " silent at the end, 2 the input was bad."
        })
public final class WatchCommand extends ConsoleCommand {

    private static final int MAX_SECONDS = 7 * 24 * 3600;
    private static final long LEAST_SILENT_NANOS = 1_000_000_000L;

    /**
     * The scene for a served world, whose size and shapes are not known here. It is large enough for the world of 'run' without options.
     */
    private static final SceneView SCENE = new SceneView(12, 0.4f, 18);

    private static final Map<Refusal, String> REFUSALS = Map.of(
            Refusal.KEY,
            "refuses: it has another key, or only one side has one; give both the same with --key-file FILE or ESCAPEMENT_KEY.",
            Refusal.VERSION,
            "refuses: it has another version; use the same jar on both sides.",
            Refusal.WORLD,
            "refuses: it serves a world of another name; pass that with --world NAME.",
            Refusal.FULL,
            "has its maximum of watchers; waiting until one leaves.");

    private Optional<Refusal> reported = Optional.empty();

    @Parameters(
            paramLabel = "ADDRESS",
            description = {
                "The address of the world, such as udp:127.0.0.1:20121.",
                "Or an Aeron channel, such as aeron:udp?endpoint=localhost:20121 for one watcher, aeron:udp?control=localhost:20121"
                        + " for any number."
            })
    private String address;

    @Option(
            names = "--world",
            paramLabel = "NAME",
            defaultValue = Link.WORLD,
            showDefaultValue = Visibility.NEVER,
            description = "Its name, as its program gave it to UdpLoop.server (that of 'run --serve').")
    private String world;

    @Mixin
    private StreamOptions options;

    @Mixin
    private ShowOptions show;

    @Override
    public Integer call() {
        Function<SnapshotReceiver, Link> connection = Link.watching(options, address, world);
        show.check(null);
        int forSeconds = show.seconds();
        check("--seconds", forSeconds, 1, MAX_SECONDS);
        Path jsonFile = show.result("watch.json");

        NanoClock clock = NanoClock.system();
        SnapshotReceiver received = new SnapshotReceiver(ReceiverSettings.DEFAULT, clock);
        WatchResult result;
        long startedNanos = System.nanoTime();
        try (RemoteView<SnapshotReceiver, Link> remote = RemoteView.open(clock, received, connection);
                ProgressBar progress = ProgressLine.of("Watching", forSeconds, " s");
                Stage stage = show.stage("Watching " + address, SCENE, false, null, this::say)) {
            result = watch(remote, stage, forSeconds, progress);
            if (result == null) {
                reportRefusal(remote.stream()); // the server may have refused after the last check in the loop
                if (!isRefused(remote.stream())) {
                    say(whyNothing(remote, secondsSince(startedNanos)));
                }
                return 1;
            }
        }
        say(result.metrics().text());
        result.metrics().write(jsonFile);
        say("JSON: " + jsonFile);
        return result.faults().isEmpty() && result.silentSecondsAtEnd() == 0 ? 0 : 1;
    }

    private static long secondsSince(long nanos) {
        return TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - nanos);
    }

    private String whyNothing(RemoteView<SnapshotReceiver, Link> remote, long forSeconds) {
        SnapshotReceiver receiver = remote.receiver();
        Optional<String> failure = remote.stream().failure().get().map(Throwable::toString);
        String why =
                failure.or(receiver::problem).map(problem -> ": " + problem).orElse("");
        if (receiver.isReady()) {
            return "Packets came from " + address + " in " + forSeconds + " s, but nothing could be shown yet" + why;
        }
        long packets = remote.stream().packets().getAsLong();
        String useless =
                packets == 0 ? "" : ": " + packets + " packets were refused, from another version or another program";
        return "No world came from " + address + " in " + forSeconds + " s" + why + useless + "; serve one there with: "
                + PROGRAM + " run --serve '" + address + "'";
    }

    /** Watches the world until the end. Returns null if no snapshot arrived, or no frame was drawn. */
    private @Nullable WatchResult watch(
            RemoteView<SnapshotReceiver, Link> remote, Stage stage, int forSeconds, ProgressBar progress) {
        SnapshotReceiver receiver = remote.receiver();
        Link client = remote.stream();
        InputRing input = client.input();
        long beganNanos = System.nanoTime();
        BooleanSupplier running = () -> {
            progress.stepTo(secondsSince(beganNanos));
            remote.look().ifPresent(this::say);
            reportRefusal(client);
            return secondsSince(beganNanos) < forSeconds
                    && client.failure().get().isEmpty();
        };
        stage.waitWhile(() -> running.getAsBoolean() && !receiver.isReady() && !isRefused(client), input);
        FrameView view = remote.view();
        if (view == null) {
            return null;
        }
        double warmUpSeconds = Math.min(2, forSeconds / 5.0);
        FrameRecorder frames = new FrameRecorder(null, 0, (long) (warmUpSeconds * 1e9), 0);
        long startedNanos = System.nanoTime();
        RenderLoop loop =
                stage.startDrawing(new Stage.Drawn(receiver::newReader, null, null, client.counts()), view, frames);
        frames.missedSlots(loop::missedSlots);
        try (loop) {
            long warmNanos = startedNanos + (long) (warmUpSeconds * 1e9);
            AtomicBoolean warm = new AtomicBoolean();
            stage.waitWhile(
                    () -> {
                        if (System.nanoTime() - warmNanos >= 0 && !warm.getAndSet(true)) {
                            var unused = client.latencyMicros().get(); // the call discards the latencies of the start
                        }
                        return running.getAsBoolean() && loop.failure().isEmpty();
                    },
                    input);
            frames.stop();
        }
        if (frames.frames() == 0) {
            loop.failure().ifPresent(failure -> {
                throw new IllegalStateException("nothing could be drawn: " + failure, failure);
            });
            return null;
        }
        long silentNanos = receiver.silentNanos();
        double watchedSeconds = (System.nanoTime() - startedNanos) / 1e9;
        double playoutMillis = receiver.metric(ReceiverMetric.PLAYOUT_NANOS) / 1e6;
        PictureResult picture = frames.result(stage.framesPerSecond(), stage.renderer);
        return new WatchResult(
                address,
                view.poses().slotCount(),
                hertz(receiver),
                watchedSeconds,
                warmUpSeconds,
                receiver.metric(ReceiverMetric.TICKS),
                receiver.metric(ReceiverMetric.FILLED_TICKS),
                picture,
                client.bytes().getAsLong() / watchedSeconds,
                client.packets().getAsLong(),
                receiver.metric(ReceiverMetric.LOST_PACKETS),
                receiver.metric(ReceiverMetric.REFUSED_PACKETS),
                playoutMillis,
                playoutMillis + picture.lookBehindMicros().mean() / 1e3,
                silentNanos < LEAST_SILENT_NANOS ? 0 : silentNanos / 1e9,
                receiver.metric(ReceiverMetric.STREAMS),
                client.latencyMicros().get(),
                client.counts().get(),
                System.getProperty("java.vm.name") + " " + System.getProperty("java.version"),
                client.failure()
                        .get()
                        .or(loop::failure)
                        .map(Throwable::toString)
                        .or(receiver::problem)
                        .orElse(""));
    }

    private void reportRefusal(Link client) {
        Optional<Refusal> refusal = client.refusal().get();
        if (!refusal.equals(reported)) {
            reported = refusal;
            refusal.ifPresent(why -> say("The server at " + address + " " + REFUSALS.get(why)));
        }
    }

    /**
     * Whether waiting for the first world is useless, because the server refuses this client. A full server accepts the client later, when
     * a place becomes free.
     */
    private static boolean isRefused(Link client) {
        return client.refusal().get().filter(why -> why != Refusal.FULL).isPresent();
    }

    private static double hertz(SnapshotReceiver receiver) {
        try (SnapshotReader reader = receiver.newReader()) {
            reader.acquire();
            return reader.window().timeline().rate().inHertz();
        }
    }
}
