package dev.escapement.bench.jmh;

import dev.escapement.bench.report.ConsoleCommand;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code escapement ratios}: what the benchmarks come to, with error bars, as Markdown. */
@Command(
        name = "ratios",
        mixinStandardHelpOptions = true,
        description = {
            "Prints the ratios of benchmark results, as Markdown.",
            "Reads what 'bench ... -f 5 -rf json -rff FILE' wrote, and prints the ratios that it says something about, each with"
                    + " its 95 %% confidence interval over the forks."
        })
@SuppressWarnings("NullAway.Init") // picocli sets the parameters
public final class RatiosCommand extends ConsoleCommand {

    @Parameters(paramLabel = "FILE", arity = "1..*", description = "JSON files of JMH, of one JVM.")
    private List<Path> files = new ArrayList<>();

    @Override
    public Integer call() {
        Measurements measurements = new Measurements();
        files.forEach(measurements::add);
        List<Ratio> ratios = Ratio.all().stream()
                .filter(ratio -> measurements.has(ratio.numerator()) && measurements.has(ratio.denominator()))
                .toList();
        if (ratios.isEmpty()) {
            throw new IllegalArgumentException(files + " have no two benchmarks that make a ratio; run e.g."
                    + " 'bench HandoffFloor -f 5 -rf json -rff floor.json'");
        }
        StringBuilder text = new StringBuilder(measurements.machines()).append(System.lineSeparator());
        String group = "";
        for (Ratio ratio : ratios) {
            if (!ratio.group().equals(group)) {
                group = ratio.group();
                text.append(String.format("%n| %s | ratio | 95%% interval | goal | |%n|---|---|---|---|---|%n", group));
            }
            text.append(row(
                    ratio,
                    Estimate.of(measurements.forks(ratio.numerator()), measurements.forks(ratio.denominator()))));
        }
        say(text.toString().stripTrailing());
        return 0;
    }

    private static String row(Ratio ratio, Estimate estimate) {
        return String.format(
                "| %s | %s | %s to %s | %s | %s |%n",
                ratio.says(),
                digits(estimate.ratio()),
                digits(estimate.low()),
                digits(estimate.high()),
                ratio.goal(),
                ratio.verdict(estimate));
    }

    private static String digits(double value) {
        String format = value >= 100 ? "%.0f" : value >= 10 ? "%.1f" : value >= 0.1 ? "%.2f" : "%.5f";
        return String.format(Locale.ROOT, format, value);
    }
}
