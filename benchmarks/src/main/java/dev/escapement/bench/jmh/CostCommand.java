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

/** {@code escapement cost}: what the service itself costs beside the engine. */
@Command(
        name = "cost",
        sortOptions = false,
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description = {
            "Shows what the service costs beside the engine.",
            "Ticks 1,000 and 10,000 bodies in Jolt and plays each tick back without the engine: what is left is the service's own."
                    + " Then the same with a recording, to a temporary file.",
            "Let nothing else run meanwhile; by default it takes about a minute."
        })
@SuppressWarnings("NullAway.Init") // picocli sets the options
public final class CostCommand extends ConsoleCommand {

    private static final Table<OwnCost> OWN = new Table<OwnCost>()
            .right("Jolt, bodies", format("%,.0f", OwnCost::bodies))
            .right("moved", format("%,.0f", OwnCost::moved))
            .right("tick", format("%,.1f", OwnCost::tickMicros))
            .right("own", format("%,.1f", OwnCost::ownMicros))
            .right("own / tick", format("%.2f %%", cost -> 100 * cost.ratio()))
            .right("B/tick", format("%,.1f", OwnCost::bytesPerTick));

    private static final Table<RecordingCost> RECORDING = new Table<RecordingCost>()
            .right("recording, bodies", format("%,.0f", RecordingCost::bodies))
            .right("hash", format("%,.1f", RecordingCost::hashMicros))
            .right("hand over", format("%,.1f", RecordingCost::handOverMicros))
            .right("of 10 ms", format("%.2f %%", RecordingCost::percentOfTick))
            .right("reads, hash", format("%,.1f", RecordingCost::readingMicros))
            .right("of 10 ms", format("%.2f %%", RecordingCost::percentWithReads))
            .right("B/tick", format("%,.1f", RecordingCost::bytesPerTick))
            .right("file", format("%,.0f", RecordingCost::fileBytesPerTick));

    private static final int[] BODIES = {1_000, 10_000};

    @Option(names = "--ticks", paramLabel = "N", defaultValue = "500", description = "How many ticks to measure.")
    private int ticks;

    @Override
    public Integer call() throws IOException {
        check("--ticks", ticks, 1, 1_000_000);
        List<OwnCost> costs = new ArrayList<>();
        List<RecordingCost> recordings = new ArrayList<>();
        int steps = OwnCost.steps(ticks) + RecordingCost.steps(ticks);
        try (ProgressBar progress = ProgressLine.of("cost", (long) BODIES.length * steps, " ticks")) {
            for (int bodies : BODIES) {
                costs.add(OwnCost.measure(bodies, ticks, progress::step));
                recordings.add(RecordingCost.measure(bodies, ticks, progress::step));
            }
        }
        say(OWN.text(costs));
        say("Medians over the ticks, microseconds. tick: input, step, capture, publish. own: the same tick played back,"
                + " without the engine. B/tick: what it allocated.");
        say("");
        say(RECORDING.text(recordings));
        say(
                "What recording adds on the physics thread, microseconds. hash: of the state, from an array. hand over: hashes of"
                        + " groups, and to the thread that writes. reads, hash: of the state, with the engine's own reads. file:"
                        + " bytes it grows by in a tick.");
        return 0;
    }

    private static <T> Function<T, String> format(String format, ToDoubleFunction<T> figure) {
        return cost -> String.format(Locale.ROOT, format, figure.applyAsDouble(cost));
    }
}
