package dev.escapement.bench.jmh;

import dev.escapement.bench.demo.OrbitSimulation;
import dev.escapement.bench.measure.Median;
import dev.escapement.bench.measure.Series;
import dev.escapement.bench.report.HtmlPage;
import dev.escapement.bench.report.Plot;
import dev.escapement.bench.report.Plot.Axis;
import dev.escapement.bench.report.Plot.Colour;
import dev.escapement.bench.report.Plot.Curve;
import dev.escapement.bench.report.Plot.Scale;
import dev.escapement.bench.report.Plot.Style;
import dev.escapement.bench.report.Table;
import dev.escapement.physics.Tick;
import dev.escapement.render.interpolation.InstanceFormat;
import dev.escapement.render.interpolation.InstanceWriter;
import dev.escapement.render.interpolation.Interpolation;
import dev.escapement.render.interpolation.Interpolator;
import dev.escapement.state.capture.Capture;
import dev.escapement.state.input.RecordedInput;
import dev.escapement.state.snapshot.PoseBlocks;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What a body costs in each stage between the simulation and the buffer of a graphics card, all bodies moving. The stages of a tick and
 * of a frame follow one another as they do in a running program, so that each finds in the caches what the one before has left there.
 *
 * @param bodies how many
 * @param nanos  of one body, the median over the rounds, in the order of the stages
 */
record ScaleCost(int bodies, List<Double> nanos) {

    private static final String[] STAGES = {"step", "capture", "publish", "blend", "upload", "copy of a pose"};
    private static final Colour[] COLOURS = {
        Colour.GREEN, Colour.ORANGE, Colour.RED, Colour.TEAL, Colour.VIOLET, Colour.GREY
    };
    private static final int COPY = STAGES.length - 1;

    /** How many rounds there are of so many bodies: about as long for each number of them. */
    static int rounds(int bodies) {
        return Math.max(200, Math.min(20_000, 200_000_000 / bodies));
    }

    static ScaleCost measure(int bodies, int rounds, Runnable progress) throws Exception {
        OrbitSimulation orbits = new OrbitSimulation(bodies);
        Capture.Source source = orbits::capture;
        Tick tick =
                new Tick(TumblingBodies.RATE, 1, TumblingBodies.RATE.nanosAt(1), 0, new RecordedInput().frame(), false);
        CapturedTicks ticks = new CapturedTicks(bodies, PoseLayout.PLAIN);
        Interpolator interpolator = new Interpolator(Interpolation.DEFAULT);
        InstanceWriter writer = new InstanceWriter(InstanceFormat.POSE);
        FloatBuffer out = InterpolationBenchmark.directBuffer(bodies * InstanceFormat.POSE.floats());
        PoseBlocks copy = Poses.room(bodies);
        double[][] nanos = new double[STAGES.length][rounds];
        long[] at = new long[STAGES.length + 1];
        Snapshot from = ticks.capture(source);
        for (int round = -rounds / 2; round < rounds; round++) { // the first for the JIT compiler
            at[0] = System.nanoTime();
            orbits.step(tick);
            at[1] = System.nanoTime();
            Snapshot to = ticks.captureNext(source);
            at[2] = System.nanoTime();
            ticks.publish();
            at[3] = System.nanoTime();
            interpolator.show(from, to, InterpolationBenchmark.ALPHA, TumblingBodies.RATE.dtSeconds());
            interpolator.poses();
            at[4] = System.nanoTime();
            writer.write(interpolator, 0, 0, 0, out);
            at[5] = System.nanoTime();
            Poses.copy(to.poses(), copy);
            at[6] = System.nanoTime();
            from = to;
            for (int stage = 0; stage < STAGES.length && round >= 0; stage++) {
                nanos[stage][round] = (double) (at[stage + 1] - at[stage]) / bodies;
            }
            progress.run();
        }
        return new ScaleCost(bodies, Arrays.stream(nanos).map(Median::of).toList());
    }

    /** How often {@code progress} is told. */
    static int steps(int rounds) {
        return rounds / 2 + rounds;
    }

    /** Nanoseconds a body, and the tick's stages in all beside the copy. */
    static Table<ScaleCost> table() {
        Table<ScaleCost> table = new Table<ScaleCost>().right("bodies", cost -> format("%,.0f", cost.bodies));
        for (int stage = 0; stage < STAGES.length; stage++) {
            int at = stage;
            table.right(STAGES[stage], cost -> format("%.3f", cost.nanos.get(at)));
        }
        return table.right("tick / copy", cost -> format("%.1f", cost.tickNanos() / cost.nanos.get(COPY)))
                .right("tick", cost -> Table.duration(cost.tickNanos() * cost.bodies / 1e3));
    }

    /** Step, capture and publish, nanoseconds a body. */
    private double tickNanos() {
        return nanos.get(0) + nanos.get(1) + nanos.get(2);
    }

    static String page(List<ScaleCost> costs) {
        List<Curve> curves = new ArrayList<>();
        for (int stage = 0; stage < STAGES.length; stage++) {
            Series points = new Series(costs.size());
            for (ScaleCost cost : costs) {
                points.add(cost.bodies, cost.nanos.get(stage));
            }
            curves.add(new Curve(STAGES[stage], points, Style.POINTS_ON_LINE, COLOURS[stage]));
        }
        Plot plot = new Plot(
                "What a body costs",
                "Where the bodies no longer fit a cache, the curves follow that of the memory, the copy of a pose.",
                new Axis("bodies (logarithmic)", Scale.LOGARITHMIC),
                new Axis("nanoseconds a body (logarithmic)", Scale.LOGARITHMIC),
                List.of(),
                curves);
        return HtmlPage.fill(
                ScaleCost.class,
                "scale.html",
                Map.of("title", "scale", "costs", table().forPage(costs), "plots", List.of(plot)));
    }

    private static String format(String format, double figure) {
        return String.format(Locale.ROOT, format, figure);
    }
}
