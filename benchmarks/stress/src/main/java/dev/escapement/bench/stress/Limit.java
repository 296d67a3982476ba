package dev.escapement.bench.stress;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import com.google.gson.Strictness;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import dev.escapement.bench.stress.Calibration.Yardstick;
import dev.escapement.bench.stress.scenario.Scenarios;
import dev.escapement.bench.stress.scenario.WatchedService;
import dev.escapement.bench.stress.trial.Outcome;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How much a figure of a scenario may be. Limits are read from a JSON array with an object per limit:
 *
 * <pre>{@code
 * [
 *   {"scenario": "idle", "figure": "tick lateness p50", "per": "wake-up", "atMost": 3}
 * ]
 * }</pre>
 *
 * <p>The figure is a distribution and its percentile, or a figure by its name.
 */
record Limit(String scenario, String figure, Yardstick per, double atMost) {

    private static final Set<String> KEYS = new TreeSet<>(Set.of("scenario", "figure", "per", "atMost"));

    private static final Map<String, ToDoubleFunction<Outcome.Measured>> PERCENTILES = Map.of(
            " mean", measured -> measured.micros().mean(),
            " p50", measured -> measured.micros().p50(),
            " p99", measured -> measured.micros().p99(),
            " p99.9", measured -> measured.micros().p999(),
            " max", measured -> measured.micros().max());

    /** How much the figure was, durations in microseconds; null if this is not its scenario or the scenario has no such figure. */
    @Nullable
    Double figureIn(Outcome outcome) {
        Map<String, Double> values = new HashMap<>();
        if (scenario.equals(outcome.scenario())) {
            outcome.figures().forEach(one -> values.put(one.name(), one.value()));
            outcome.distributions()
                    .forEach(measured -> PERCENTILES.forEach((percentile, value) ->
                            values.put(measured.name() + percentile, value.applyAsDouble(measured))));
        }
        return values.get(figure);
    }

    /**
     * Reads limits. What is wrong with the file is said with the place: the number of the limit, counted from 1.
     *
     * @throws IllegalArgumentException if it cannot be read, or is not one of limits
     */
    static List<Limit> read(Path file) {
        JsonElement root;
        try (Reader text = Files.newBufferedReader(file);
                JsonReader json = new JsonReader(text)) {
            json.setStrictness(Strictness.STRICT);
            root = JsonParser.parseReader(json);
            if (json.peek() != JsonToken.END_DOCUMENT) {
                throw bad(file, "there is something after the end of the array");
            }
        } catch (NoSuchFileException e) {
            throw new IllegalArgumentException("--gate: there is no file " + file, e);
        } catch (JsonParseException | IOException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            // The first line: the address of a page of Gson's follows.
            String says = String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
            throw new IllegalArgumentException("--gate: " + file + " is no JSON: " + says, e);
        }
        if (!root.isJsonArray() || root.getAsJsonArray().isEmpty()) {
            throw bad(file, "there must be an array with a limit or more");
        }
        List<Limit> limits = new ArrayList<>();
        for (JsonElement element : root.getAsJsonArray()) {
            try {
                limits.add(of(element));
            } catch (IllegalArgumentException e) {
                throw bad(file, "limit " + (limits.size() + 1) + ": " + e.getMessage());
            }
        }
        return limits;
    }

    private static IllegalArgumentException bad(Path file, String what) {
        return new IllegalArgumentException("--gate: " + file + ": " + what);
    }

    private static Limit of(JsonElement element) {
        if (!(element instanceof JsonObject object)) {
            throw new IllegalArgumentException("a limit is an object with " + KEYS + ", not " + element);
        }
        for (String key : object.keySet()) {
            if (!KEYS.contains(key)) {
                throw new IllegalArgumentException("'" + key + "' is not known; a limit has " + KEYS);
            }
        }
        String scenario = text(object, "scenario");
        Scenarios.named(List.of(scenario)); // refuses others
        String figure = text(object, "figure");
        if (!WatchedService.FIGURES.contains(figure)
                && WatchedService.DURATIONS.stream()
                        .noneMatch(duration -> figure.startsWith(duration)
                                && PERCENTILES.containsKey(figure.substring(duration.length())))) {
            throw new IllegalArgumentException("there is no figure '" + figure + "'; there are "
                    + String.join(", ", WatchedService.FIGURES) + ", and of "
                    + String.join(", ", WatchedService.DURATIONS) + " each mean, p50, p99, p99.9, max");
        }
        String per = text(object, "per");
        Yardstick yardstick = Arrays.stream(Yardstick.values())
                .filter(one -> one.toString().equals(per))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("'per' cannot be '" + per + "'; it is one of "
                        + Arrays.stream(Yardstick.values())
                                .map(Yardstick::toString)
                                .collect(Collectors.joining(", "))));
        JsonPrimitive number = primitive(object, "atMost", "a number", JsonPrimitive::isNumber);
        double atMost = number.getAsDouble();
        if (!(atMost > 0 && atMost < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("'atMost' must be more than 0 and finite, but is " + number);
        }
        return new Limit(scenario, figure, yardstick, atMost);
    }

    private static String text(JsonObject object, String key) {
        return primitive(object, key, "a text", JsonPrimitive::isString).getAsString();
    }

    private static JsonPrimitive primitive(
            JsonObject object, String key, String kind, Predicate<JsonPrimitive> isOfKind) {
        if (object.get(key) instanceof JsonPrimitive value && isOfKind.test(value)) {
            return value;
        }
        throw new IllegalArgumentException("'" + key + "' must be " + kind + ", but is " + object.get(key));
    }
}
