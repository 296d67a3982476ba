package dev.escapement.bench.jmh;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import dev.escapement.bench.jmh.Estimate.Forks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.StreamSupport;

/**
 * What {@code bench -rf json} has written, by benchmark: "HandoffBenchmark.lockHandover bodies=10000"; the share of one thread of a
 * group is "... bodies=10000#lockWrite".
 */
final class Measurements {

    private final Map<String, Forks> byName = new TreeMap<>();
    private final List<String> machines = new ArrayList<>();

    /**
     * Reads files.
     *
     * @throws IllegalArgumentException if one is none of JMH's
     */
    static Measurements read(List<Path> files) {
        Measurements measurements = new Measurements();
        files.forEach(measurements::add);
        return measurements;
    }

    private void add(Path file) {
        try {
            for (JsonElement element :
                    JsonParser.parseString(Files.readString(file)).getAsJsonArray()) {
                add(element.getAsJsonObject());
            }
        } catch (NoSuchFileException e) {
            throw new IllegalArgumentException("there is no file " + file, e);
        } catch (IOException | JsonParseException | IllegalStateException | NullPointerException e) {
            throw new IllegalArgumentException(
                    file + " was not written by 'bench ... -rf json -rff " + file.getFileName() + "': "
                            + e.getMessage(),
                    e);
        }
    }

    private void add(JsonObject result) {
        String fullName = result.get("benchmark").getAsString();
        int method = fullName.lastIndexOf('.');
        StringBuilder name = new StringBuilder(fullName.substring(fullName.lastIndexOf('.', method - 1) + 1));
        if (result.has("params")) {
            result.getAsJsonObject("params")
                    .entrySet()
                    .forEach(entry -> name.append(' ')
                            .append(entry.getKey())
                            .append('=')
                            .append(entry.getValue().getAsString()));
        }
        put(name.toString(), result.getAsJsonObject("primaryMetric"));
        result.getAsJsonObject("secondaryMetrics").entrySet().stream()
                .filter(metric -> metric.getKey().matches("\\w+(Read|Write)"))
                .forEach(metric ->
                        put(name + "#" + metric.getKey(), metric.getValue().getAsJsonObject()));
        String machine = "JDK " + result.get("jdkVersion").getAsString() + ", "
                + result.get("vmName").getAsString() + ", "
                + result.get("forks").getAsInt() + " forks";
        if (!machines.contains(machine)) {
            machines.add(machine);
        }
    }

    private void put(String name, JsonObject metric) {
        byName.put(
                name,
                new Forks(StreamSupport.stream(metric.getAsJsonArray("rawData").spliterator(), false)
                        .mapToDouble(fork -> mean(fork.getAsJsonArray()))
                        .toArray()));
    }

    private static double mean(JsonArray iterations) {
        return StreamSupport.stream(iterations.spliterator(), false)
                .mapToDouble(JsonElement::getAsDouble)
                .average()
                .orElse(Double.NaN);
    }

    boolean has(String name) {
        return byName.containsKey(name);
    }

    /** Only for what it {@link #has}. */
    Forks forks(String name) {
        return Objects.requireNonNull(byName.get(name), name);
    }

    /** On which JVMs this was measured, one in the best case. */
    String machines() {
        return String.join("; ", machines);
    }
}
