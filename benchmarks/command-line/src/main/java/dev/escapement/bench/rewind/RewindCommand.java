package dev.escapement.bench.rewind;

import dev.escapement.bench.demo.Engine;
import dev.escapement.bench.report.ConsoleCommand;
import dev.escapement.bench.report.JsonFile;
import dev.escapement.bench.report.Plot;
import dev.escapement.bench.report.ProgressLine;
import dev.escapement.bench.report.ReportPage;
import dev.escapement.bench.report.Table;
import dev.escapement.bench.report.WholeFile;
import dev.escapement.physics.replay.history.StateHistory;
import dev.escapement.physics.simulation.Simulation;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import me.tongfei.progressbar.ProgressBar;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code escapement rewind}: what going back costs. */
@Command(
        name = "rewind",
        description = {
            "Measures what it costs to save, to go back and to ask about the past, and how smooth corrected pictures are.",
            "Lets worlds go back at random, and compares each tick with one of a world that does not.",
            "Two minutes; let nothing else run. A missed goal is reported; the exit code is 1 if states differed."
        })
public final class RewindCommand extends ConsoleCommand {

    private static final int PUSHES_OF_1000 = 40;

    /** The rows of the table. */
    private static final int FIGURES = 31;

    private static final int BODIES = 100;
    private static final long SEED = 3;

    @Option(names = "--rollbacks", paramLabel = "N", defaultValue = "2000", description = "How often worlds go back.")
    private int rollbacks;

    @Option(names = "--seed", paramLabel = "S", defaultValue = "1", description = "Seed of the random choices.")
    private int seed;

    @Option(names = "--json", paramLabel = "FILE", description = "File for the metrics as JSON.")
    private @Nullable Path json;

    @Option(names = "--html", paramLabel = "FILE", description = "File for a page with a picture of a correction.")
    private @Nullable Path html;

    @Option(names = "--asked-ticks", paramLabel = "N", defaultValue = "2000", description = "360000 asks for an hour.")
    private int askedTicks;

    // Tests replace them.
    Rollbacks random = new Rollbacks(engine -> world(engine, 12));
    int warmUpTicks = 300;
    int ticks = 200;
    int bodies = 1000;
    int latePushes = 40;
    long latenessNanos = 20_000_000_000L;

    private final List<Figure> figures = new ArrayList<>();
    private final Map<String, Object> metrics = new LinkedHashMap<>();
    private Runnable progress = () -> {};

    /** What was measured, and what it is to be at most. */
    private record Figure(String says, double measured, double goal) {

        private static final Table<Figure> TABLE = new Table<Figure>()
                .left("", Figure::says)
                .right("measured", figure -> String.format(Locale.ROOT, "%,.2f", figure.measured))
                .right("at most", figure -> String.format(Locale.ROOT, "%,.2f", figure.goal))
                .left("", figure -> Math.round(100 * (figure.measured - figure.goal)) > 0 ? "MISSED" : "reached");
    }

    private void add(String says, double measured, double goal) {
        figures.add(new Figure(says, measured, goal));
        progress.run();
    }

    private void micros(String key, Samples samples, String name) {
        metrics.put(key, Map.of("p50", samples.median(name) / 1e3, "p99", samples.at(99, name) / 1e3));
    }

    @Override
    public Integer call() {
        check("--rollbacks", rollbacks, 1, 10_000_000);
        check("--asked-ticks", askedTicks, 1, 10_000_000);
        if (json != null) {
            WholeFile.checkWritable("--json", json);
        }
        if (html != null) {
            WholeFile.checkWritable("--html", html);
        }
        Engine.JOLT.pile(1).close(); // reports that it cannot run here before anything does
        Plot picture;
        try (ProgressBar bar = ProgressLine.of("rewind", rollbacks + FIGURES, " steps")) {
            progress = bar::step;
            random.search(seed, rollbacks, progress);
            metrics.put("rollbacks", random.count);
            metrics.put("mismatches", random.hashes.broken());
            save();
            goBack();
            ask();
            correct(200);
            picture = correct(100); // what views do by themselves
        }
        say(Figure.TABLE.text(figures));
        say(
                "Medians; x: so many times. Jolt's own part: saveState and getData of its binding. Largest step: of the\n"
                        + "body, between two frames, x that without a correction. Lateness: at most that while no thread asks.");
        say(random.count + " times back at random: " + random.hashes.checked() + " states compared, "
                + random.hashes.broken() + " differ.");
        if (random.hashes.broken() > 0) {
            say("DIFFERS: " + random.hashes.example() + "; --seed " + seed + " --rollbacks " + rollbacks
                    + " repeats it");
        }
        if (json != null) {
            JsonFile.write(json, metrics);
        }
        if (html != null) {
            Map<String, Object> words =
                    Map.of("title", "The error fades in 100 ms", "answer", "A push that came 50 ms late");
            WholeFile.write(html, ReportPage.html(words, List.of(picture)).getBytes(StandardCharsets.UTF_8));
        }
        return random.hashes.broken() == 0 ? 0 : 1;
    }

    private void save() {
        Samples pile = SaveCost.of(Engine.JOLT.pile(bodies), PUSHES_OF_1000, warmUpTicks, ticks);
        micros("saveMicros", pile, "save");
        micros("restoreMicros", pile, "restore");
        metrics.put("bytesPerMovingBody", pile.median("stored"));
        addSaving("pile", pile);
        addSaving("drum", SaveCost.of(Engine.JOLT.simulation(bodies), 0, warmUpTicks, ticks));
        Samples asleep = SaveCost.of(SaveCost.asleep(bodies), 0, 0, ticks);
        add("1,000 boxes asleep: saving, bytes for each", asleep.median("stored"), 4);
        Samples springs = SaveCost.of(Engine.SPRING.simulation(bodies), PUSHES_OF_1000, warmUpTicks, 10 * ticks);
        add("1,000 springs: saving, x copying their state", springs.ratio("save", "least"), 1.5);
    }

    private void addSaving(String scene, Samples cost) {
        double millis = (cost.median("save") - cost.median("least")) / 1e6;
        add("1,000 boxes in a " + scene + ": saving, ms above Jolt's own part", millis, 0.4);
        double garbage =
                cost.get("saveBytes").getMean() / cost.get("leastBytes").getMean();
        add("  garbage, x that of Jolt's own part", garbage, 1);
        add("  bytes for each that moves", cost.median("stored"), 300);
        add("  restoring, x saving, Jolt's own part included", cost.ratio("restore", "save"), 1.5);
    }

    private void goBack() {
        Samples samples = new Samples();
        int length = 13;
        for (int every : new int[] {1, 4}) {
            StateHistory history = StateHistory.ofTicks(60).every(every);
            try (SeededWorld plain = new SeededWorld(Engine.JOLT.pile(BODIES), 4, builder -> builder);
                    SeededWorld kept = new SeededWorld(Engine.JOLT.pile(BODIES), 4, builder -> builder.with(history))) {
                for (long time = 0; time < ticks; time++) {
                    long first = warmUpTicks + time * length;
                    plain.run(SEED, first);
                    kept.run(SEED, first + length);
                    long own = samples.time("own", () -> plain.run(SEED, first + length));
                    long again = samples.time("again" + every, () -> {
                        kept.goBack(history, first);
                        kept.run(SEED, first + length);
                    });
                    samples.add("percent" + every, 100.0 * (again - own) / own);
                }
            }
        }
        micros("rollbackMicros", samples, "again1");
        add("100 boxes: going back 13 ticks and running them again, ms", samples.median("again1") / 1e6, 5);
        add("  % more than the ticks alone, every tick saved", samples.median("percent1"), 45);
        add("  % more than the ticks alone, every fourth saved", samples.median("percent4"), 25);
    }

    private void ask() {
        Samples pile = Queries.cost(Engine.JOLT.pile(bodies), PUSHES_OF_1000, warmUpTicks, ticks, 1);
        micros("placeMicros", pile, "place");
        metrics.put("rayRatio", pile.ratio("lastQueried", "lastStepped"));
        add("1,000 boxes that moved: placing all in a query world, ms", pile.median("place") / 1e6, 0.3);
        add("  then 100 rays, x the same in the stepped world", pile.ratio("lastQueried", "lastStepped"), 1.5);
        add("  farthest from the stepped world's hit, mm", 1e3 * pile.at(100, "off"), 1);
        Samples aged = Queries.cost(Engine.JOLT.simulation(BODIES), 0, warmUpTicks, askedTicks / 4, 4);
        metrics.put("rayAging", aged.ratio("lastQueried", "firstQueried"));
        String drum = String.format(Locale.ROOT, "100 rays into a drum after %,d ticks, x the first", askedTicks);
        add(drum, aged.ratio("lastQueried", "firstQueried"), 1.2);
        add("  x the same in a new query world", aged.ratio("lastQueried", "lastNew"), 1.2);
        Samples late = new Samples();
        for (int turn = 0; turn < 4; turn++) {
            Queries.lateness(late, "turn" + turn, Engine.JOLT.simulation(BODIES), turn % 2 == 1, latenessNanos / 4);
        }
        for (int percent : new int[] {50, 90, 99}) {
            double asked = (late.at(percent, "turn1") + late.at(percent, "turn3")) / 2;
            double quiet = Math.max(late.at(percent, "turn0"), late.at(percent, "turn2"));
            add("Lateness of ticks while 4 threads ask, p" + percent + ", us", asked / 1e3, quiet / 1e3);
        }
    }

    /** Measures late pushes in views whose errors fade within a time. Returns a picture of the first. */
    private Plot correct(int fadeMillis) {
        Samples late = new Samples();
        Correction.measure(late, Engine.JOLT, warmUpTicks, latePushes, fadeMillis);
        Plot picture = Correction.measure(late, Engine.SPRING, warmUpTicks, latePushes, fadeMillis);
        add("A box pushed 50 ms late, fading in " + fadeMillis + " ms: largest step, x", late.median("jolt"), 1.2);
        add("  the worst of " + latePushes + ", x", late.at(100, "jolt"), 1.2);
        add("A mass on a spring pushed so: largest step, x", late.median("spring"), 1.2);
        add("  the worst of " + latePushes + ", x", late.at(100, "spring"), 1.2);
        add("  error of all bodies after that, mm", 1e3 * late.at(100, "metres"), 0.05);
        metrics.put("correctionJump", Math.max(late.median("jolt"), late.median("spring")));
        metrics.put("worstCorrectionJump", Math.max(late.at(100, "jolt"), late.at(100, "spring")));
        metrics.put("correctionErrorMm", 1e3 * late.at(100, "metres"));
        return picture;
    }

    static Simulation world(Engine engine, int bodies) {
        return engine == Engine.JOLT ? engine.pile(bodies) : engine.simulation(bodies);
    }
}
