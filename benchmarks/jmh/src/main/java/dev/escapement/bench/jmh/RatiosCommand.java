package dev.escapement.bench.jmh;

import com.google.gson.Gson;
import com.google.gson.JsonParseException;
import dev.escapement.bench.report.ConsoleCommand;
import dev.escapement.bench.report.WholeFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.commons.math3.distribution.TDistribution;
import org.apache.commons.math3.stat.StatUtils;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Parameters;

/** {@code escapement bench ratios}: prints ratios of benchmark results, with error bars, as Markdown. */
@Command(
        name = "ratios",
        description = {
            "Prints the ratios of benchmark results, as Markdown.",
            "Reads the files of 'bench ... -f 5 -rf json -rff FILE', and prints the ratios of the benchmarks in them, each with"
                    + " its 95 %% confidence interval over the forks."
        })
public final class RatiosCommand extends ConsoleCommand {

    /**
     * One line per ratio: the ratio in words | a benchmark with its parameters | its numerator's method | its denominator's method | a
     * goal, if there is one.
     */
    private static final String RATIOS = """
            publish to 1 reader and acquire, over two getAndSet | HandoffFloor readers=1 | escapementHandover | floorGetAndSet | at most 1.5
            publish to 4 readers and acquire, over five getAndSet | HandoffFloor readers=4 | escapementHandover | floorGetAndSet
            acquire of nothing new, over a volatile read | HandoffFloor readers=1 | escapementNothingNew | floorVolatileRead | at most 3
            writer of JCTools' SPSC queue beside a reader, over ours | HandoffContended bodies=10000 \
            | oneReader contestant=JCTOOLS#oneReaderWrite | oneReader contestant=ESCAPEMENT#oneReaderWrite
            lerp + slerp, over copying a pose | Interpolation bodies=10000 | escapementSlerp | floorCopy | at most 4.5
            JOML's lerp + slerp per object, over ours | Interpolation bodies=10000 | jomlSlerp | escapementSlerp | at least 40
            interleaved poses, over copying a pose | Interpolation bodies=10000 | escapementInterleavedPose | floorCopy | at most 12
            ours without vector code, over ours | Interpolation bodies=10000 | escapementSlerpScalar | escapementSlerp
            looking ahead, over lerp + slerp | Interpolation bodies=10000 | escapementAhead | escapementSlerp | at most 1.5
            capture of unmoved bodies, over moved ones | Capture bodies=10000 | escapementUnmoved | escapementAllMoved | at most 0.02
            capture from arrays, over copying a pose | Capture bodies=10000 | escapementAllMovedBulk | floorCopy | at most 10
            capture by one call each, over copying a pose | Capture bodies=10000 | escapementAllMoved | floorCopy | at most 20
            an input event, over JCTools' queue | Input | escapementOfferAndDrain | jctoolsOfferAndDrain
            lock step of worlds of Jolt, over a loop | HostStep load=JOLT worlds=1000 | escapementTickAll | floorParallelLoop | at most 1.11
            lock step of worlds of springs, over a loop | HostStep load=SPRINGS worlds=1000 | escapementTickAll | floorParallelLoop
            a round of a learning loop, over the lock step | HostStep load=SPRINGS worlds=1000 | escapementRound | escapementTickAll
            """;

    /** A ratio of two results, which are named by keys of {@link #logs}. The goal is empty if there is none. */
    record Ratio(String says, String numerator, String denominator, String goal) {

        static List<Ratio> all() {
            return RATIOS.lines()
                    .map(line -> line.split(" \\| ", -1))
                    .map(parts -> new Ratio(
                            parts[0],
                            name(parts[1], parts[2]),
                            name(parts[1], parts[3]),
                            parts.length > 4 ? parts[4] : ""))
                    .toList();
        }

        /**
         * Returns the key of a method's result in {@link #logs}. The benchmark's own parameters come first, because JMH writes parameters
         * in alphabetical order.
         */
        private static String name(String benchmark, String method) {
            String parameters = benchmark.replaceFirst("\\w+", "");
            return benchmark.replaceFirst(" .*", "") + "Benchmark." + method.replaceFirst("\\w+", "$0" + parameters);
        }
    }

    @Parameters(
            paramLabel = "FILE",
            arity = "1..*",
            showDefaultValue = Visibility.NEVER,
            description = "JSON files of JMH, of one JVM.")
    private List<Path> files = new ArrayList<>();

    /**
     * By result: the logarithm of each fork's mean. The key is the benchmark's name with its parameters, followed by {@code #thread} for
     * one thread of a group.
     */
    private final Map<String, double[]> logs = new HashMap<>();

    private record Result(
            String benchmark,
            @Nullable Map<String, String> params,
            Metric primaryMetric,
            Map<String, Metric> secondaryMetrics) {}

    /**
     * The values of a result: a list of iterations per fork. Only forks count as independent samples, because the iterations of a fork
     * share one JVM.
     */
    private record Metric(List<List<Double>> rawData) {
        double[] logs() {
            return rawData.stream()
                    .mapToDouble(fork -> Math.log(
                            fork.stream().mapToDouble(value -> value).average().orElse(Double.NaN)))
                    .toArray();
        }
    }

    @Override
    public Integer call() {
        files.forEach(this::add);
        StringBuilder text = new StringBuilder("| | ratio | 95%% interval | goal |%n|---|---|---|---|".formatted());
        int header = text.length();
        for (Ratio ratio : Ratio.all()) {
            double[] numerator = logs.get(ratio.numerator);
            double[] denominator = logs.get(ratio.denominator);
            if (numerator != null && denominator != null) {
                text.append("%n| %s | %s | %s |".formatted(ratio.says, estimate(numerator, denominator), ratio.goal));
            }
        }
        if (text.length() == header) {
            throw new IllegalArgumentException(files + " have no two benchmarks of a ratio; run e.g."
                    + " 'bench HandoffFloor -f 5 -rf json -rff floor.json'");
        }
        say(text.toString());
        return 0;
    }

    private void add(Path file) {
        try {
            for (Result result : new Gson().fromJson(Files.readString(file), Result[].class)) {
                StringBuilder name = new StringBuilder(result.benchmark.replaceFirst(".*\\.(\\w+\\.\\w+)", "$1"));
                if (result.params != null) {
                    result.params.forEach((key, value) -> name.append(" %s=%s".formatted(key, value)));
                }
                logs.put(name.toString(), result.primaryMetric.logs());
                result.secondaryMetrics.forEach((key, metric) -> logs.put(name + "#" + key, metric.logs()));
            }
        } catch (IOException e) {
            throw new IllegalArgumentException(file + ": " + WholeFile.why(e), e);
        } catch (JsonParseException | NullPointerException e) {
            throw new IllegalArgumentException(
                    file + " was not written by 'bench ... -rf json -rff FILE': " + e.getMessage(), e);
        }
    }

    /** Formats a ratio and its 95% interval. The interval is Welch's, for the difference between the means of two samples of logarithms. */
    static String estimate(double[] logs, double[] otherLogs) {
        if (logs.length < 2 || otherLogs.length < 2) {
            throw new IllegalArgumentException("an error bar needs 2 forks or more; run 'bench' with -f 5");
        }
        double difference = StatUtils.mean(logs) - StatUtils.mean(otherLogs);
        double one = StatUtils.variance(logs) / logs.length; // the variance of the mean, not of a sample
        double other = StatUtils.variance(otherLogs) / otherLogs.length;
        double both = one + other;
        double freedom = both * both / (one * one / (logs.length - 1) + other * other / (otherLogs.length - 1));
        double half = both == 0 ? 0 : new TDistribution(freedom).inverseCumulativeProbability(0.975) * Math.sqrt(both);
        return String.format(
                Locale.ROOT,
                "%.3g | %.3g to %.3g",
                Math.exp(difference),
                Math.exp(difference - half),
                Math.exp(difference + half));
    }
}
