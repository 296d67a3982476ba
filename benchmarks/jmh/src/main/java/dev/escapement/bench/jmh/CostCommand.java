package dev.escapement.bench.jmh;

import dev.escapement.bench.report.ConsoleCommand;
import dev.escapement.bench.report.ProgressLine;
import dev.escapement.bench.report.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import me.tongfei.progressbar.ProgressBar;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code escapement bench cost}: the time of the service itself, without the engine. */
@Command(
        name = "cost",
        description = {
            "Measures the time of the service without the engine.",
            "Ticks 1,000 and 10,000 bodies in Jolt and plays each tick back without the engine: the rest is the service's own time."
                    + " Also measures what a recording adds, to a temporary file.",
            "Let nothing else run meanwhile; by default it takes about a minute."
        })
public final class CostCommand extends ConsoleCommand {

    private static final Table<OwnCost> TABLE = new Table<OwnCost>()
            .right("Jolt, bodies", format("%,.0f", OwnCost::bodies))
            .right("tick", format("%,.1f", OwnCost::tickMicros))
            .right("own", format("%,.1f", OwnCost::ownMicros))
            .right("own / tick", format("%.2f %%", cost -> 100 * cost.ownMicros() / cost.tickMicros()))
            .right("hash", format("%,.1f", OwnCost::hashMicros))
            .right("hand over", format("%,.1f", OwnCost::handOverMicros))
            .right("of 10 ms", format("%.2f %%", OwnCost::recordingPercent))
            .right("flight", format("%,.1f", OwnCost::flightMicros));

    private static final int[] BODIES = {1_000, 10_000};

    @Option(names = "--ticks", paramLabel = "N", defaultValue = "500", description = "How many ticks to measure.")
    private int ticks;

    @Override
    public Integer call() throws IOException {
        check("--ticks", ticks, 1, 1_000_000);
        List<OwnCost> costs = new ArrayList<>();
        try (ProgressBar progress = ProgressLine.of("cost", (long) BODIES.length * OwnCost.steps(ticks), " ticks")) {
            for (int bodies : BODIES) {
                costs.add(OwnCost.measure(bodies, ticks, progress::step));
            }
        }
        say(TABLE.text(costs));
        say("Medians over the ticks, microseconds. tick: input, step, capture, publish. own: the same tick played back,"
                + " without the engine. hash: recording reads the state from the engine and hashes it."
                + " hand over: hashes of groups, and handover to the thread that writes."
                + " flight: what a flight recorder adds to a hash.");
        return 0;
    }

    private static Function<OwnCost, String> format(String format, ToDoubleFunction<OwnCost> metric) {
        return cost -> String.format(Locale.ROOT, format, metric.applyAsDouble(cost));
    }
}
