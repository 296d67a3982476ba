package dev.escapement.bench.wire;

import dev.escapement.bench.report.ConsoleCommand;
import dev.escapement.bench.report.JsonFile;
import dev.escapement.bench.report.ProgressLine;
import dev.escapement.bench.report.WholeFile;
import dev.escapement.bench.wire.PlayoutRun.Network;
import dev.escapement.bench.wire.WireReport.Interests;
import dev.escapement.bench.wire.WireReport.Playout;
import dev.escapement.bench.wire.WireReport.Row;
import dev.escapement.physics.jolt.JoltNatives;
import dev.escapement.physics.platform.UnsupportedPlatformException;
import dev.escapement.state.wire.InterestSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import me.tongfei.progressbar.ProgressBar;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code escapement wire}: what goes over the wire. */
@Command(
        name = "wire",
        sortOptions = false,
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description = {
            "Shows how much of a world goes over the wire, and what coding it costs.",
            "Sends two scenes through the library's codec, with 5 %% of the packets lost, and none of a broadcast. Then"
                    + " simulates viewers on a network that delays and loses: how old and how even their picture is; and"
                    + " clients who are sent what is near. About two minutes; let nothing else run meanwhile.",
            "Exit code 1 if a goal was missed."
        })
@SuppressWarnings("NullAway.Init") // picocli sets the options
public final class WireCommand extends ConsoleCommand {

    private static final int MOST_TICKS = 10_000;
    private static final int PILE = 1_000;
    private static final int PILE_TICKS = 1_000;
    private static final int PLAYOUT_SECONDS = 60;
    private static final double[] QUANTILES = {0.5, 0.75, 0.9, 0.95, 0.99, 0.999};
    private static final int CLIENTS = 64;
    private static final int CLIENTS_BODIES = 10_000;
    private static final int INTEREST_SECONDS = 10;

    @Option(
            names = "--ticks",
            paramLabel = "N",
            defaultValue = "1800",
            description = "How many ticks of a scene at most: the pile has 1,000.")
    private int ticks;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            defaultValue = "target/escapement",
            description = "Folder of wire.json.")
    private Path out;

    @Option(
            names = "--json",
            paramLabel = "FILE",
            description = "Where the figures go as JSON. Default: wire.json in the out folder.")
    private @Nullable Path json;

    @Override
    public Integer call() {
        check("--ticks", ticks, CodecRun.FIRST_TICK + 1, MOST_TICKS);
        Path jsonFile = json == null ? out.resolve("wire.json") : json;
        WholeFile.checkWritable(json == null ? "--out" : "--json", jsonFile);
        List<Supplier<Trace>> scenes = new ArrayList<>();
        try {
            JoltNatives.load();
            scenes.add(() -> JoltScene.fiedler901(ticks));
            scenes.add(() -> JoltScene.pile(PILE, Math.min(ticks, PILE_TICKS)));
        } catch (UnsupportedPlatformException e) {
            say(e.getMessage() + "; no scene is coded.");
        }
        List<Row> rows = new ArrayList<>();
        List<Playout> playout;
        Interests interests;
        try (ProgressBar progress = ProgressLine.of("wire", scenes.size() + 2, " scenes")) {
            for (Supplier<Trace> scene : scenes) {
                Trace trace = scene.get();
                rows.add(CodecRun.send(trace, WireReport.ACKNOWLEDGED, CodecRun.LOSS_PERCENT));
                rows.add(CodecRun.send(trace, WireReport.BROADCAST, 0));
                progress.step();
            }
            playout = PlayoutRun.of(Network.INTERNET, PLAYOUT_SECONDS, QUANTILES);
            progress.step();
            interests = InterestRun.of(CLIENTS_BODIES, CLIENTS, InterestSettings.DEFAULT, INTEREST_SECONDS);
            progress.step();
        }
        WireReport report = new WireReport(rows, playout, List.of(interests));
        say(report.text());
        JsonFile.write(jsonFile, report);
        say("JSON: " + jsonFile);
        return report.isReached() ? 0 : 1;
    }
}
