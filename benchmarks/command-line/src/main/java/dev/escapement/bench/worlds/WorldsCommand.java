package dev.escapement.bench.worlds;

import dev.escapement.bench.demo.Engine;
import dev.escapement.bench.report.ConsoleCommand;
import dev.escapement.bench.report.JsonFile;
import dev.escapement.bench.report.ProgressLine;
import dev.escapement.bench.report.WholeFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import me.tongfei.progressbar.ProgressBar;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code escapement worlds}: what many worlds cost in one process. */
@Command(
        name = "worlds",
        description = {
            "Ticks many worlds at 100 Hz, on the two threads of a host and in other ways, and measures how late they are and what"
                    + " they cost.",
            "Less than eight minutes; let nothing else run. No promise can break, so the exit code is 0."
        })
public final class WorldsCommand extends ConsoleCommand {

    /** Of services, each with a thread, and of worlds in Jolt, each with some megabytes. */
    private static final int MAX_LARGE = 200;

    private static final int MAX_WORLDS = 10_000;

    @Option(
            names = "--worlds",
            paramLabel = "N",
            split = ",",
            defaultValue = "1,10,100,1000",
            description = "How many, a list; up to " + MAX_LARGE + " of them as services, or loaded.")
    private List<Integer> worlds = List.of();

    @Option(
            names = "--ways",
            paramLabel = "WAY",
            split = ",",
            defaultValue = "host,services,executor,virtual,loop",
            description = "A list of ${COMPLETION-CANDIDATES}; virtual, for virtual threads, needs JDK 21.")
    private List<Way> ways = List.of();

    @Option(
            names = "--loads",
            paramLabel = "LOAD",
            split = ",",
            defaultValue = "idle,loaded,rogue",
            description = {
                "A list of ${COMPLETION-CANDIDATES}: worlds of 10 springs; of 50 bodies in Jolt; of springs, beside one whose"
                        + " steps take 30 ms."
            })
    private List<Load> loads = List.of();

    @Option(
            names = "--seconds",
            paramLabel = "S",
            defaultValue = "4",
            description = "How long each row is measured; a quarter of that passes before.")
    private int seconds;

    @Option(names = "--json", paramLabel = "FILE", description = "File for the rows as JSON.")
    private @Nullable Path json;

    /** Tests shorten it. */
    long secondNanos = TimeUnit.SECONDS.toNanos(1);

    private record Case(Load load, int worlds, Way way) {

        /** Why it is not measured; empty if it is. */
        String leftOut() {
            if (!way.isThere()) {
                return way + ", which needs JDK " + VirtualThreads.FIRST_JDK;
            } else if (worlds > MAX_LARGE && way == Way.SERVICES) {
                return way + " beyond " + MAX_LARGE + " worlds, for each has a thread";
            }
            return worlds > MAX_LARGE && load == Load.LOADED ? load + " beyond " + MAX_LARGE + " worlds" : "";
        }
    }

    /** The content of the file, named as its keys. */
    private record Found(String java, int cores, int seconds, List<Row> rows) {}

    @Override
    public Integer call() {
        worlds.forEach(number -> check("--worlds", number, 1, MAX_WORLDS));
        check("--seconds", seconds, 1, 3600);
        if (json != null) {
            WholeFile.checkWritable("--json", json);
        }
        if (loads.contains(Load.LOADED)) {
            Engine.JOLT.simulation(1).close(); // reports that it cannot run here before anything does
        }
        List<Case> cases = new ArrayList<>();
        for (Load load : loads) {
            for (int number : worlds) {
                ways.forEach(way -> cases.add(new Case(load, number, way)));
            }
        }
        TreeSet<String> leftOut = new TreeSet<>();
        cases.stream().map(Case::leftOut).filter(why -> !why.isEmpty()).forEach(leftOut::add);
        cases.removeIf(each -> !each.leftOut().isEmpty());
        List<Row> rows = new ArrayList<>();
        try (ProgressBar progress = ProgressLine.of("worlds", cases.size(), " rows")) {
            for (Case each : cases) {
                rows.add(measure(each));
                progress.step();
            }
        }
        say(Row.table().text(rows));
        say(
                "Late: from when a tick was due until it began. Skipped: due, and not begun in time. Cores: processor time of");
        say("the process. Bytes: of all threads; a bare step may make its Tick, of 56. The rogue does not count.");
        Found found = new Found(
                System.getProperty("java.vm.name") + " " + Runtime.version(),
                Runtime.getRuntime().availableProcessors(),
                seconds,
                rows);
        say("Each row: " + seconds + " s on " + found.cores + " cores, " + found.java + ".");
        if (!leftOut.isEmpty()) {
            say("Left out: " + String.join("; ", leftOut) + ".");
        }
        if (json != null) {
            JsonFile.write(json, found);
        }
        return 0;
    }

    private Row measure(Case each) {
        WorldsMeter meter = new WorldsMeter(each.worlds);
        try (Way.Ticking ticking = each.way.start(meter)) {
            for (int i = 0; i < each.worlds; i++) {
                ticking.add(each.load.world());
            }
            if (each.load == Load.ROGUE) {
                ticking.add(Load.rogue());
            }
            return meter.measure(each.way, each.load, seconds * secondNanos);
        }
    }
}
