package dev.escapement.bench.compare;

import dev.escapement.bench.compare.Comparison.RealComparison;
import dev.escapement.bench.compare.Comparison.Result;
import dev.escapement.bench.report.ConsoleCommand;
import dev.escapement.bench.report.HtmlPage;
import dev.escapement.bench.report.JsonFile;
import dev.escapement.bench.report.LiveOption;
import dev.escapement.bench.report.ProgressLine;
import dev.escapement.bench.report.WholeFile;
import dev.escapement.physics.PhysicsService;
import dev.escapement.render.web.LivePage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import me.tongfei.progressbar.ProgressBar;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code escapement compare}: game loops and thread patterns, beside the service. */
@Command(
        name = "compare",
        sortOptions = false,
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description = {
            "Shows how evenly the picture moves with every game loop of the literature, and with this.",
            "Runs those loops, and the patterns that people use between a physics thread and a renderer, over the same simulation,"
                    + " loads and displays, on a virtual clock: exact, and the same on every machine. Also shows how old the"
                    + " picture is, and whether the world keeps time. Prints one load; the page and the JSON file have all.",
            "Then some of them run on real threads, for two minutes by default; let nothing else run meanwhile.",
            "With --live it measures nothing: it shows one world under the load of --profile as three pictures side by side,"
                    + " newest snapshot, two latest by arrival, and this."
        })
@SuppressWarnings("NullAway.Init") // picocli sets the options
public final class CompareCommand extends ConsoleCommand {

    private static final int WARM_UP_SECONDS = 3;
    private static final int MOST_SECONDS = 3600;
    private static final int SECONDS_EACH = 6;
    private static final long LOOK_NANOS = 10_000_000;

    @Option(
            names = "--profile",
            paramLabel = "NAME",
            defaultValue = "heavy",
            description = "The load of the table that is printed: ${COMPLETION-CANDIDATES}.")
    private LoadProfile profile;

    @Option(
            names = "--full",
            description = "Everything on real threads too, not a selection. The virtual clock always has everything.")
    private boolean full;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            description = "How long each is measured on real threads; 0 for none. Default: 6, with --live 600 in all.")
    private @Nullable Integer seconds;

    @Mixin
    private LiveOption live;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            defaultValue = "target/escapement",
            description = "Folder of compare.html and compare.json.")
    private Path out;

    @Override
    public Integer call() {
        if (live.isGiven()) {
            live.check(false);
            check("--seconds", secondsOr(LiveOption.MOST_SECONDS), 1, MOST_SECONDS);
            showLive();
            return 0;
        }
        Path jsonFile = out.resolve("compare.json");
        Path page = out.resolve("compare.html");
        WholeFile.checkWritable("--out", jsonFile);
        WholeFile.checkWritable("--out", page);
        check("--seconds", secondsOr(SECONDS_EACH), 0, MOST_SECONDS);
        List<Result> onVirtualClock = onVirtualClock();
        say("On a virtual clock");
        say(CompareTables.table(profile).text(CompareTables.rows(onVirtualClock, profile)));
        say(CompareTables.LEGEND);
        RealComparison onRealThreads = secondsOr(SECONDS_EACH) == 0 ? null : onRealThreads();
        if (onRealThreads != null) {
            say("On real threads of this machine");
            say(CompareTables.REAL.text(onRealThreads.results()));
            say(CompareTables.realLegend(onRealThreads));
            say(onRealThreads.machineVerdict());
        }
        Comparison comparison = Comparison.of(onVirtualClock, onRealThreads);
        JsonFile.write(jsonFile, comparison);
        HtmlPage.write(page, ComparePage.html(comparison));
        say("Page: " + page + "   JSON: " + jsonFile);
        return 0;
    }

    private int secondsOr(int usual) {
        return seconds == null ? usual : seconds;
    }

    /** Shows a world until its time is over or it has failed. */
    private void showLive() {
        Crowd crowd = Crowd.thousand();
        Scene scene = new Scene(profile, WorkClock.busy(), crowd.simulation().get(), crowd.bodies());
        try (PhysicsService physics = PhysicsService.builder(scene)
                        .maxReaders(1)
                        .preallocate(scene.ballSlot() + 1)
                        .start();
                LivePage page = LivePage.of(physics.newReader())
                        .controls(physics)
                        .title(crowd.name() + ", " + profile.says())
                        .port(live.port())
                        .start()) {
            say(page.url() + "?pictures=3");
            long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(secondsOr(LiveOption.MOST_SECONDS));
            while (!physics.hasEnded() && System.nanoTime() - endNanos < 0) {
                LockSupport.parkNanos(LOOK_NANOS);
            }
        }
    }

    private static List<Result> onVirtualClock() {
        List<Result> results = new ArrayList<>();
        List<Case> cases = Case.all();
        try (ProgressBar progress = ProgressLine.of("virtual clock", cases.size(), " runs")) {
            for (Case run : cases) {
                results.add(VirtualContest.measure(run).result());
                progress.step();
            }
        }
        return results;
    }

    private RealComparison onRealThreads() {
        List<Case> cases = full ? Case.all() : Case.selection();
        RealContest contest = new RealContest(Crowd.thousand(), WARM_UP_SECONDS, secondsOr(SECONDS_EACH));
        try (ProgressBar progress = ProgressLine.of("real threads", cases.size() + 2, " runs")) {
            return contest.measureAll(cases, progress::step);
        }
    }
}
