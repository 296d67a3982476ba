package dev.escapement.bench.jmh;

import com.google.gson.Gson;
import com.google.gson.JsonParseException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What {@code bench -rf json} has written, by benchmark: "HandoffBenchmark.peerHandover bodies=10000 peer=LOCK"; the share of one thread
 * of a group is "... bodies=10000#oneReaderWrite".
 */
final class Measurements {

    private final Map<String, double[]> byName = new TreeMap<>();
    private final Set<String> machines = new LinkedHashSet<>();

    /** A benchmark, under the names of JMH's keys. */
    private record Result(
            String benchmark,
            @Nullable Map<String, String> params,
            Metric primaryMetric,
            Map<String, Metric> secondaryMetrics,
            String jdkVersion,
            String vmName,
            int forks) {}

    /** What was measured in each iteration of each fork. */
    private record Metric(List<List<Double>> rawData) {
        /** The mean of each fork. */
        double[] forks() {
            return rawData.stream()
                    .mapToDouble(fork ->
                            fork.stream().mapToDouble(value -> value).average().orElse(Double.NaN))
                    .toArray();
        }
    }

    /**
     * Adds a file.
     *
     * @throws IllegalArgumentException if it is none of JMH's
     */
    void add(Path file) {
        try {
            for (Result result : new Gson().fromJson(Files.readString(file), Result[].class)) {
                add(result);
            }
        } catch (NoSuchFileException e) {
            throw new IllegalArgumentException("there is no file " + file, e);
        } catch (IOException | JsonParseException | NullPointerException e) {
            throw new IllegalArgumentException(
                    file + " was not written by 'bench ... -rf json -rff " + file.getFileName() + "': "
                            + e.getMessage(),
                    e);
        }
    }

    private void add(Result result) {
        int method = result.benchmark.lastIndexOf('.');
        StringBuilder name =
                new StringBuilder(result.benchmark.substring(result.benchmark.lastIndexOf('.', method - 1) + 1));
        if (result.params != null) {
            result.params.forEach(
                    (key, value) -> name.append(' ').append(key).append('=').append(value));
        }
        byName.put(name.toString(), result.primaryMetric.forks());
        result.secondaryMetrics.forEach((key, metric) -> {
            if (key.matches("\\w+(Read|Write)")) {
                byName.put(name + "#" + key, metric.forks());
            }
        });
        machines.add("JDK " + result.jdkVersion + ", " + result.vmName + ", " + result.forks + " forks");
    }

    boolean has(String name) {
        return byName.containsKey(name);
    }

    /** Only for what it {@link #has}. */
    double[] forks(String name) {
        return Objects.requireNonNull(byName.get(name), name);
    }

    /** On which JVMs this was measured, one in the best case. */
    String machines() {
        return String.join("; ", machines);
    }
}
