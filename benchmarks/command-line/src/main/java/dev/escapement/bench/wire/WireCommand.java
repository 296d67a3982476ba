package dev.escapement.bench.wire;

import dev.escapement.bench.report.ConsoleCommand;
import dev.escapement.bench.report.JsonFile;
import dev.escapement.bench.report.ProgressLine;
import dev.escapement.bench.report.WholeFile;
import dev.escapement.bench.wire.WireReport.Playout;
import dev.escapement.bench.wire.WireReport.Row;
import dev.escapement.physics.platform.UnsupportedPlatformException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import me.tongfei.progressbar.ProgressBar;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code escapement wire}: the bandwidth of a world. */
@Command(
        name = "wire",
        description = {
            "Measures the bandwidth of a world, and the time to encode and decode it.",
            "Sends two scenes through the library's codec, with 5 %% of the packets lost, and none of a broadcast. Then"
                    + " simulates viewers on a network with delays and losses: how old and how even their picture is. About"
                    + " a minute; let nothing else run meanwhile.",
            "Exit code 1 if a goal was missed."
        })
public final class WireCommand extends ConsoleCommand {

    private static final int FIEDLER_TICKS = 1_800;
    private static final int PILE = 1_000;
    private static final int PILE_TICKS = 1_000;
    private static final int PLAYOUT_SECONDS = 60;
    private static final double[] QUANTILES = {0.5, 0.75, 0.9, 0.95, 0.99, 0.999};

    @Option(
            names = "--json",
            paramLabel = "FILE",
            defaultValue = "target/escapement/wire.json",
            description = "File for the metrics as JSON.")
    private Path json;

    @Override
    public Integer call() {
        WholeFile.checkWritable("--json", json);
        List<Row> rows = new ArrayList<>();
        List<Playout> playout;
        try (ProgressBar progress = ProgressLine.of("wire", 3, " scenes")) {
            try {
                send(JoltScene.Fiedler901::new, FIEDLER_TICKS, rows);
                progress.step();
                send(() -> JoltScene.pile(PILE), PILE_TICKS, rows);
                progress.step();
            } catch (UnsupportedPlatformException e) {
                say(e.getMessage() + "; no scene is coded.");
            }
            playout = PlayoutRun.of(Network.INTERNET, PLAYOUT_SECONDS, QUANTILES);
            progress.step();
        }
        WireReport report = new WireReport(rows, playout);
        say(report.text());
        JsonFile.write(json, report);
        say("JSON: " + json);
        return report.isReached() ? 0 : 1;
    }

    /** The same scene twice, once for each mode. */
    private static void send(Supplier<JoltScene> scene, int ticks, List<Row> rows) {
        rows.add(CodecRun.send(scene.get(), ticks, WireReport.ACKNOWLEDGED, CodecRun.LOSS_PERCENT));
        rows.add(CodecRun.send(scene.get(), ticks, WireReport.BROADCAST, 0));
    }
}
