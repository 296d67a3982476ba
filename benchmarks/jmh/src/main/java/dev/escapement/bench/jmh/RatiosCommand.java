package dev.escapement.bench.jmh;

import com.google.gson.Gson;
import com.google.gson.JsonParseException;
import dev.escapement.bench.report.ConsoleCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Parameters;

/** {@code escapement bench ratios}: ratios of benchmarks, with error bars, as Markdown. */
@Command(
        name = "ratios",
        description = {
            "Prints the ratios of benchmark results, as Markdown.",
            "Reads the files of 'bench ... -f 5 -rf json -rff FILE', and prints the ratios of the benchmarks in them, each with"
                    + " its 95 %% confidence interval over the forks."
        })
public final class RatiosCommand extends ConsoleCommand {

    @Parameters(
            paramLabel = "FILE",
            arity = "1..*",
            showDefaultValue = Visibility.NEVER,
            description = "JSON files of JMH, of one JVM.")
    private List<Path> files = new ArrayList<>();

    /**
     * The {@linkplain Estimate#logs logarithms} of a benchmark, such as "CaptureBenchmark.floorCopy bodies=10000"; the share of one
     * thread of a group is "... bodies=10000#oneReaderWrite".
     */
    private final Map<String, double[]> logs = new HashMap<>();

    /** The JVMs of the results, ideally one. */
    private final Set<String> machines = new LinkedHashSet<>();

    /** A benchmark, named as JMH's keys. */
    private record Result(
            String benchmark,
            @Nullable Map<String, String> params,
            Metric primaryMetric,
            Map<String, Metric> secondaryMetrics,
            String jdkVersion,
            String vmName,
            int forks) {}

    /** The values of each iteration of each fork. */
    private record Metric(List<List<Double>> rawData) {
        double[] logs() {
            return Estimate.logs(rawData.stream()
                    .mapToDouble(fork ->
                            fork.stream().mapToDouble(value -> value).average().orElse(Double.NaN))
                    .toArray());
        }
    }

    @Override
    public Integer call() {
        files.forEach(this::add);
        StringBuilder text = new StringBuilder(String.join("; ", machines)).append(System.lineSeparator());
        String group = "";
        for (Ratio ratio : Ratio.all()) {
            double[] numerator = logs.get(ratio.numerator());
            double[] denominator = logs.get(ratio.denominator());
            if (numerator == null || denominator == null) {
                continue;
            }
            if (!ratio.group().equals(group)) {
                group = ratio.group();
                text.append(String.format("%n| %s | ratio | 95%% interval | goal |%n|---|---|---|---|%n", group));
            }
            Estimate estimate = Estimate.of(numerator, denominator);
            text.append(String.format(
                    "| %s | %s | %s to %s | %s |%n",
                    ratio.says(),
                    digits(estimate.ratio()),
                    digits(estimate.low()),
                    digits(estimate.high()),
                    ratio.goal()));
        }
        if (group.isEmpty()) {
            throw new IllegalArgumentException(files + " have no two benchmarks of a ratio; run e.g."
                    + " 'bench HandoffFloor -f 5 -rf json -rff floor.json'");
        }
        say(text.toString().stripTrailing());
        return 0;
    }

    /** Adds a file. Throws an {@link IllegalArgumentException} if it is no file of JMH. */
    private void add(Path file) {
        try {
            for (Result result : new Gson().fromJson(Files.readString(file), Result[].class)) {
                add(result);
            }
        } catch (NoSuchFileException e) {
            throw new IllegalArgumentException("there is no file " + file, e);
        } catch (IOException | JsonParseException | NullPointerException e) {
            String command = "'bench ... -rf json -rff " + file.getFileName() + "'";
            throw new IllegalArgumentException(file + " was not written by " + command + ": " + e.getMessage(), e);
        }
    }

    private void add(Result result) {
        StringBuilder name = new StringBuilder(result.benchmark.replaceFirst(".*\\.(\\w+\\.\\w+)", "$1"));
        if (result.params != null) {
            result.params.forEach(
                    (key, value) -> name.append(' ').append(key).append('=').append(value));
        }
        logs.put(name.toString(), result.primaryMetric.logs());
        result.secondaryMetrics.forEach((key, metric) -> {
            if (key.matches("\\w+(Read|Write)")) {
                logs.put(name + "#" + key, metric.logs());
            }
        });
        machines.add("JDK " + result.jdkVersion + ", " + result.vmName + ", " + result.forks + " forks");
    }

    private static String digits(double value) {
        String format = value >= 100 ? "%.0f" : value >= 10 ? "%.1f" : value >= 0.1 ? "%.2f" : "%.5f";
        return String.format(Locale.ROOT, format, value);
    }
}
