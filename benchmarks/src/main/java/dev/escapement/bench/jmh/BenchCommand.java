package dev.escapement.bench.jmh;

import dev.escapement.bench.report.ConsoleCommand;
import dev.escapement.bench.report.HtmlPage;
import dev.escapement.bench.report.ProgressLine;
import dev.escapement.bench.report.WholeFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import me.tongfei.progressbar.ProgressBar;
import org.openjdk.jmh.Main;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Unmatched;

/** {@code escapement bench}: JMH from the same jar. */
@Command(
        name = "bench",
        description = {
            "Runs the JMH benchmarks.",
            "All options but these are JMH's own: 'bench -h' lists them, 'bench -l' the benchmarks. Let nothing else run meanwhile."
        })
@SuppressWarnings("NullAway.Init") // picocli sets the options
public final class BenchCommand extends ConsoleCommand {

    private static final List<String> QUICK =
            List.of("-f", "1", "-wi", "3", "-w", "300ms", "-i", "5", "-r", "300ms", "-foe", "true");

    private static final int[] BODIES = {1_000, 10_000, 100_000, 1_000_000};

    @Option(names = "--quick", description = "Everything in under 10 minutes, with wider errors.")
    private boolean quick;

    @Option(
            names = "--scale",
            description = {
                "Without JMH: what a body costs in each stage from the step to the buffer of the graphics card, at 1,000 to 1,000,000"
                        + " moving bodies, in the terminal and in scale.html. Half a minute."
            })
    private boolean scale;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            defaultValue = "target/escapement",
            showDefaultValue = CommandLine.Help.Visibility.ALWAYS,
            description = "Of --scale: folder of scale.html.")
    private Path out;

    @Option(names = "--help", usageHelp = true, description = "Show this help message and exit.")
    @SuppressWarnings("UnusedVariable") // picocli looks whether it was given
    private boolean help;

    @Unmatched
    private List<String> jmhOptions = new ArrayList<>();

    @Override
    public Integer call() throws Exception {
        if (scale) {
            scale();
            return 0;
        }
        List<String> arguments = new ArrayList<>(jmhOptions);
        if (quick) {
            arguments.addAll(QUICK);
        }
        Main.main(arguments.toArray(new String[0]));
        return 0;
    }

    private void scale() throws Exception {
        if (quick || !jmhOptions.isEmpty()) {
            throw new IllegalArgumentException("--scale runs without JMH and takes only --out; leave out "
                    + String.join(" ", quick ? List.of("--quick") : jmhOptions));
        }
        Path page = out.resolve("scale.html");
        WholeFile.checkWritable("--out", page);
        List<ScaleCost> costs = new ArrayList<>();
        int steps = Arrays.stream(BODIES)
                .map(bodies -> ScaleCost.steps(ScaleCost.rounds(bodies)))
                .sum();
        try (ProgressBar progress = ProgressLine.of("scale", steps, " rounds")) {
            for (int bodies : BODIES) {
                costs.add(ScaleCost.measure(bodies, ScaleCost.rounds(bodies), progress::step));
            }
        }
        HtmlPage.write(page, ScaleCost.page(costs));
        say(ScaleCost.table().text(costs));
        say(
                "Nanoseconds a body, medians. step, capture, publish: of a tick of circling bodies, which write straight into the snapshot. blend:"
                        + " lerp and slerp of a frame. upload: into a direct buffer, 7 floats a body. copy of a pose: the memory's own speed, 28"
                        + " bytes a body.");
        say("Page: " + page);
    }
}
