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
import dev.escapement.bench.rewind.RewindReport.Figures;
import dev.escapement.bench.rewind.RewindReport.Times;
import dev.escapement.physics.replay.StateBuffer;
import dev.escapement.state.world.BodyShape;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import me.tongfei.progressbar.ProgressBar;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code escapement rewind}: what going back costs. */
@Command(
        name = "rewind",
        description = {
            "Measures what it costs to save a world, to go back and to ask about the past; about a minute.",
            "Lets worlds go back at random, and compares each tick with one of a world that does not. Let nothing else run"
                    + " meanwhile. A missed goal is reported; the exit code is 1 if states differed."
        })
@SuppressWarnings("NullAway.Init") // picocli sets the options
public final class RewindCommand extends ConsoleCommand {

    private static final int PUSHES_OF_1000 = 40;

    /** How often the progress moves while it measures. */
    private static final int MEASUREMENTS = 7;

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

    // Tests replace them.
    Rollbacks random = new Rollbacks();
    int warmUpTicks = 300;
    int ticks = 200;
    int bodies = 1000;

    @Override
    public Integer call() {
        check("--rollbacks", rollbacks, 1, 10_000_000);
        if (json != null) {
            WholeFile.checkWritable("--json", json);
        }
        Engine.JOLT.pile(1).close(); // reports that it cannot run here before anything does
        Figures figures = new Figures();
        RewindReport report;
        try (ProgressBar progress = ProgressLine.of("rewind", rollbacks + MEASUREMENTS, " steps")) {
            random.search(seed, rollbacks, progress::step);
            report = measure(figures, progress::step);
        }
        say(figures.text());
        say("Medians. Saving and restoring with the binding's own part, unless the line says otherwise. "
                + random.count()
                + " times back at random: " + random.hashes().checked() + " states compared, "
                + random.hashes().broken() + " differ.");
        if (random.hashes().broken() > 0) {
            say("DIFFERS: " + random.hashes().example() + "; --seed " + seed + " --rollbacks " + rollbacks
                    + " repeats it");
        }
        if (json != null) {
            JsonFile.write(json, report);
        }
        return report.mismatches() == 0 ? 0 : 1;
    }

    private RewindReport measure(Figures figures, Runnable progress) {
        SaveCost pile = SaveCost.ofJolt(pile(), PUSHES_OF_1000, warmUpTicks, ticks);
        progress.run();
        SaveCost drum = SaveCost.ofJolt(new JoltBodies(new Machine(bodies, false).scene()), 0, warmUpTicks, ticks);
        progress.run();
        SaveCost asleep = SaveCost.ofJolt(new JoltBodies(asleep()), 0, 0, ticks);
        progress.run();
        saving(figures, "touching pile", pile);
        saving(figures, "drum", drum);
        figures.add("bytes a body that sleeps", asleep.bytesPerBody(), 4);
        SpringSimulation springs = new SpringSimulation(bodies);
        StateBuffer copy = new StateBuffer();
        SaveCost springCost = SaveCost.of(springs, PUSHES_OF_1000, warmUpTicks, 10 * ticks, null, () -> {
            copy.clear();
            springs.save(copy);
        });
        progress.run();
        figures.add(
                "1,000 springs: saving over copying their state",
                SaveCost.ratio(springCost.saveNanos(), springCost.leastNanos()),
                1.5);
        RollbackCost every = RollbackCost.of(1, warmUpTicks, ticks);
        progress.run();
        RollbackCost fourth = RollbackCost.of(4, warmUpTicks, ticks);
        progress.run();
        figures.add("13 ticks of 100 boxes back and run again, ms", RewindReport.millis(every.nanos()), 5);
        figures.add("  % more than the ticks alone, every tick saved", percent(every), 45);
        figures.add("  % more than the ticks alone, every fourth saved", percent(fourth), 25);
        QueryCost query = QueryCost.of(pile(), PUSHES_OF_1000, warmUpTicks, ticks);
        progress.run();
        double rayRatio = SaveCost.ratio(query.rayNanos(), query.steppedNanos());
        figures.add("1,000 moved boxes placed at an instant, ms", RewindReport.millis(query.placeNanos()), 0.3);
        figures.add("100 rays over the same in the stepped world", rayRatio, 1.5);
        figures.add("  farthest from the stepped world's hit, mm", 1e3 * query.offMetres(), 1);
        return new RewindReport(
                random.count(),
                random.hashes().broken(),
                Times.of(every.nanos()),
                Times.of(pile.saveNanos()),
                Times.of(pile.restoreNanos()),
                Times.of(query.placeNanos()),
                pile.bytesPerBody(),
                rayRatio);
    }

    private static void saving(Figures figures, String scene, SaveCost cost) {
        figures.add(
                "1,000 boxes, " + scene + ": saving above the binding's own, ms",
                RewindReport.millis(cost.saveNanos()) - RewindReport.millis(cost.leastNanos()),
                0.4);
        figures.add("  garbage over the binding's array", cost.garbage(), 1);
        figures.add("  bytes a body that moved", cost.bytesPerBody(), 300);
        figures.add("  restoring over saving", SaveCost.ratio(cost.restoreNanos(), cost.saveNanos()), 1.5);
    }

    private static double percent(RollbackCost cost) {
        return cost.percent().getValueAtPercentile(50) / 100.0;
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
