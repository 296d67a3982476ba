package dev.escapement.bench.rewind;

import dev.escapement.bench.demo.BoxPile;
import dev.escapement.bench.demo.Engine;
import dev.escapement.bench.demo.JoltBodies;
import dev.escapement.bench.demo.Machine;
import dev.escapement.bench.demo.Scene;
import dev.escapement.bench.demo.Solid;
import dev.escapement.bench.demo.SpringSimulation;
import dev.escapement.bench.report.ConsoleCommand;
import dev.escapement.bench.report.JsonFile;
import dev.escapement.bench.report.ProgressLine;
import dev.escapement.bench.report.WholeFile;
import dev.escapement.bench.run.Plot;
import dev.escapement.bench.run.ReportPage;
import dev.escapement.physics.replay.StateBuffer;
import dev.escapement.state.world.BodyShape;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import me.tongfei.progressbar.ProgressBar;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code escapement rewind}: what going back costs. */
@Command(
        name = "rewind",
        description = {
            "Measures what it costs to save a world, to go back and to ask about the past, and how smoothly pictures"
                    + " correct late input; about two minutes.",
            "Lets worlds go back at random, and compares each tick with one of a world that does not. Let nothing else run"
                    + " meanwhile. A missed goal is reported; the exit code is 1 if states differed."
        })
@SuppressWarnings("NullAway.Init") // picocli sets the options
public final class RewindCommand extends ConsoleCommand {

    private static final int PUSHES_OF_1000 = 40;

    /** The rows of the table. */
    private static final int FIGURES = 31;

    /** Of a drum that is asked for long: once in this many ticks. */
    private static final int DRUM_BODIES = 100;

    private static final int SELDOM = 4;

    @Option(
            names = "--rollbacks",
            paramLabel = "N",
            defaultValue = "2000",
            description = "How often worlds go back at random: springs and Jolt.")
    private int rollbacks;

    @Option(names = "--seed", paramLabel = "S", defaultValue = "1", description = "Seed of the random choices.")
    private int seed;

    @Option(names = "--json", paramLabel = "FILE", description = "File for the metrics as JSON.")
    private @Nullable Path json;

    @Option(names = "--html", paramLabel = "FILE", description = "File for a page with a picture of a correction.")
    private @Nullable Path html;

    @Option(
            names = "--asked-ticks",
            paramLabel = "N",
            defaultValue = "2000",
            description = "How long a drum is asked; 360000 is an hour of it.")
    private int askedTicks;

    private @Nullable Plot picture;

    // Tests replace them.
    Rollbacks random = new Rollbacks();
    int warmUpTicks = 300;
    int ticks = 200;
    int bodies = 1000;
    int latePushes = 40;
    long latenessNanos = 20_000_000_000L;

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
        Figures figures;
        try (ProgressBar progress = ProgressLine.of("rewind", rollbacks + FIGURES, " steps")) {
            figures = new Figures(progress::step);
            random.search(seed, rollbacks, progress::step);
            figures.json.put("rollbacks", random.count());
            figures.json.put("mismatches", random.hashes().broken());
            save(figures);
            goBack(figures);
            ask(figures);
            correct(figures);
        }
        say(figures.table());
        say("Medians. Saving and restoring with the binding's own part, unless the line says otherwise. "
                + random.count()
                + " times back at random: " + random.hashes().checked() + " states compared, "
                + random.hashes().broken() + " differ.");
        if (random.hashes().broken() > 0) {
            say("DIFFERS: " + random.hashes().example() + "; --seed " + seed + " --rollbacks " + rollbacks
                    + " repeats it");
        }
        if (json != null) {
            JsonFile.write(json, figures.json);
        }
        if (html != null && picture != null) {
            Map<String, Object> words =
                    Map.of("title", "The error fades in 100 ms", "answer", "A push that came 50 ms late");
            WholeFile.write(html, ReportPage.html(words, List.of(picture)).getBytes(StandardCharsets.UTF_8));
        }
        return random.hashes().broken() == 0 ? 0 : 1;
    }

    private void save(Figures figures) {
        SaveCost pile = SaveCost.ofJolt(pile(), PUSHES_OF_1000, warmUpTicks, ticks);
        saving(figures, "touching pile", pile);
        figures.micros("saveMicros", pile.saveNanos());
        figures.micros("restoreMicros", pile.restoreNanos());
        figures.json.put("bytesPerMovingBody", pile.bytesPerBody());
        saving(figures, "drum", SaveCost.ofJolt(drum(bodies), 0, warmUpTicks, ticks));
        SaveCost asleep = SaveCost.ofJolt(new JoltBodies(asleep()), 0, 0, ticks);
        figures.add("bytes a body that sleeps", asleep.bytesPerBody(), 4);
        SpringSimulation springs = new SpringSimulation(bodies);
        StateBuffer copy = new StateBuffer();
        SaveCost springCost = SaveCost.of(springs, PUSHES_OF_1000, warmUpTicks, 10 * ticks, null, () -> {
            copy.clear();
            springs.save(copy);
        });
        figures.add(
                "1,000 springs: saving over copying their state",
                Figures.ratio(springCost.saveNanos(), springCost.leastNanos()),
                1.5);
    }

    private static void saving(Figures figures, String scene, SaveCost cost) {
        figures.add(
                "1,000 boxes, " + scene + ": saving above the binding's own, ms",
                Figures.millis(cost.saveNanos()) - Figures.millis(cost.leastNanos()),
                0.4);
        figures.add("  garbage over the binding's array", cost.garbage(), 1);
        figures.add("  bytes a body that moved", cost.bytesPerBody(), 300);
        figures.add("  restoring over saving", Figures.ratio(cost.restoreNanos(), cost.saveNanos()), 1.5);
    }

    private void goBack(Figures figures) {
        RollbackCost every = RollbackCost.of(1, warmUpTicks, ticks);
        RollbackCost fourth = RollbackCost.of(4, warmUpTicks, ticks);
        figures.micros("rollbackMicros", every.nanos());
        figures.add("13 ticks of 100 boxes back and run again, ms", Figures.millis(every.nanos()), 5);
        figures.add("  % more than the ticks alone, every tick saved", percent(every), 45);
        figures.add("  % more than the ticks alone, every fourth saved", percent(fourth), 25);
    }

    private static double percent(RollbackCost cost) {
        return cost.percent().getValueAtPercentile(50) / 100.0;
    }

    private void ask(Figures figures) {
        QueryCost query = QueryCost.of(pile(), PUSHES_OF_1000, warmUpTicks, ticks, 1);
        double rayRatio = Figures.ratio(query.lastNanos(), query.steppedNanos());
        figures.micros("placeMicros", query.placeNanos());
        figures.json.put("rayRatio", rayRatio);
        figures.add("1,000 moved boxes placed at an instant, ms", Figures.millis(query.placeNanos()), 0.3);
        figures.add("100 rays over the same in the stepped world", rayRatio, 1.5);
        figures.add("  farthest from the stepped world's hit, mm", 1e3 * query.offMetres(), 1);
        QueryCost aged = QueryCost.of(drum(DRUM_BODIES), 0, warmUpTicks, askedTicks / SELDOM, SELDOM);
        String asked = String.format(Locale.ROOT, "  of a drum after %,d ticks, over ", askedTicks);
        figures.json.put("rayAging", Figures.ratio(aged.lastNanos(), aged.firstNanos()));
        figures.add(asked + "those of the first", Figures.ratio(aged.lastNanos(), aged.firstNanos()), 1.2);
        figures.add(asked + "a new query world", Figures.ratio(aged.lastNanos(), aged.newNanos()), 1.2);
        Histogram[] late = new QueryLateness(latenessNanos / 8).of(drum(DRUM_BODIES), latenessNanos);
        for (int percent : new int[] {50, 90, 99}) {
            double[] micros = Stream.of(late)
                    .mapToDouble(turn -> turn.getValueAtPercentile(percent) / 1e3)
                    .toArray();
            figures.add(
                    "p" + percent + " of lateness while 4 threads ask, us; worst without",
                    (micros[1] + micros[3]) / 2,
                    Math.max(micros[0], micros[2]));
        }
    }

    private void correct(Figures figures) {
        for (int fadeMillis : new int[] {200, 100}) { // the last is what views do by themselves
            Correction boxes =
                    Correction.of(() -> Engine.JOLT.pile(Correction.BODIES), warmUpTicks, latePushes, fadeMillis);
            Correction springs = Correction.of(
                    () -> Engine.SPRING.simulation(Correction.BODIES), warmUpTicks, latePushes, fadeMillis);
            figures.add("boxes pushed 50 ms late, fading in " + fadeMillis + " ms: largest step", boxes.jump(50), 1.2);
            figures.add("  the worst of " + latePushes, boxes.jump(100), 1.2);
            figures.add("springs pushed so: largest step", springs.jump(50), 1.2);
            figures.add("  the worst of " + latePushes, springs.jump(100), 1.2);
            figures.add("  error after that, mm", 1e3 * Math.max(boxes.metres(), springs.metres()), 0.05);
            figures.json.put("correctionJump", Math.max(boxes.jump(50), springs.jump(50)));
            figures.json.put("worstCorrectionJump", Math.max(boxes.jump(100), springs.jump(100)));
            figures.json.put("correctionErrorMm", 1e3 * Math.max(boxes.metres(), springs.metres()));
            picture = springs.picture();
        }
    }

    private static JoltBodies drum(int bodies) {
        return new JoltBodies(new Machine(bodies, false).scene());
    }

    private JoltBodies pile() {
        return new JoltBodies(new BoxPile(bodies).scene(false));
    }

    /** Boxes that lie on the floor, each alone. */
    private Scene asleep() {
        BodyShape.Form cube = new BodyShape.Box(0.5f, 0.5f, 0.5f);
        int row = (int) Math.ceil(Math.sqrt(bodies));
        List<Solid> boxes = IntStream.range(0, bodies)
                .mapToObj(i -> Solid.dynamic(cube, 0.5, 100, false, 2.0 * (i % row), 0.5, 2.0 * Math.floorDiv(i, row)))
                .toList();
        return Scene.onFloor(-9.81, 0.5, boxes);
    }
}
