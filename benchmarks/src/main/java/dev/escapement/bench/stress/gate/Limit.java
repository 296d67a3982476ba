package dev.escapement.bench.stress.gate;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.Strictness;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import dev.escapement.bench.stress.gate.Calibration.Yardstick;
import dev.escapement.bench.stress.scenario.Scenarios;
import dev.escapement.bench.stress.trial.Figure;
import dev.escapement.bench.stress.trial.Outcome;
import dev.escapement.bench.stress.world.WatchedService;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * How much a figure of a scenario may be. Limits are read from a JSON array with an object per limit:
 *
 * <pre>{@code
 * [
 *   {"scenario": "idle", "figure": "tick lateness p50", "per": "wake-up", "atMost": 3}
 * ]
 * }</pre>
 *
 * @param scenario its name
 * @param figure   a distribution and its percentile, such as "tick lateness p50", or a figure by its name
 * @param per      what it is divided by
 * @param atMost   how much that may be
 */
public record Limit(String scenario, String figure, Yardstick per, double atMost) {

    private static final Set<String> KEYS = Set.of("scenario", "figure", "per", "atMost");

    private static final Map<String, ToDoubleFunction<Outcome.Measured>> PERCENTILES = Map.of(
            " mean", measured -> measured.micros().mean(),
            " p50", measured -> measured.micros().p50(),
            " p99", measured -> measured.micros().p99(),
            " p99.9", measured -> measured.micros().p999(),
            " max", measured -> measured.micros().max());

    /** Whether there can be a limit for it. */
    private static boolean isKnown(String name) {
        return WatchedService.FIGURES.contains(name)
                || WatchedService.DURATIONS.stream()
                        .anyMatch(duration -> PERCENTILES.keySet().stream()
                                .anyMatch(percentile -> name.equals(duration + percentile)));
    }

    /** What there can be limits for, in words. */
    private static String known() {
        return String.join(", ", WatchedService.FIGURES) + ", and of " + String.join(", ", WatchedService.DURATIONS)
                + " each mean, p50, p99, p99.9, max";
    }

    /** How much the figure was, durations in microseconds; empty if this is not its scenario or the scenario has no such figure. */
    OptionalDouble figureIn(Outcome outcome) {
        Map<String, Double> values = new LinkedHashMap<>();
        for (Figure one : outcome.figures()) {
            values.put(one.name(), one.value());
        }
        for (Outcome.Measured measured : outcome.distributions()) {
            PERCENTILES.forEach(
                    (percentile, value) -> values.put(measured.name() + percentile, value.applyAsDouble(measured)));
        }
        Double value = values.get(figure);
        return value == null || !scenario.equals(outcome.scenario())
                ? OptionalDouble.empty()
                : OptionalDouble.of(value);
    }

    /**
     * Reads limits. What is wrong with the file is said with the place: the number of the limit, counted from 1.
     *
     * @throws IllegalArgumentException if it cannot be read, or is not one of limits
     */
    static List<Limit> read(Path file) {
        return new Reading(file).limits();
    }

    /** A file that is being read. */
    private static final class Reading {

        private final Path file;

        Reading(Path file) {
            this.file = file;
        }

        private List<Limit> limits() {
            JsonElement root = parse();
            if (!root.isJsonArray() || root.getAsJsonArray().isEmpty()) {
                throw bad("there must be an array with a limit or more");
            }
            List<Limit> limits = new ArrayList<>();
            for (JsonElement element : root.getAsJsonArray()) {
                limits.add(limit("limit " + (limits.size() + 1) + ": ", element));
            }
            return limits;
        }

        private JsonElement parse() {
            try (Reader text = Files.newBufferedReader(file);
                    JsonReader json = new JsonReader(text)) {
                json.setStrictness(Strictness.STRICT);
                JsonElement root = JsonParser.parseReader(json);
                if (json.peek() != JsonToken.END_DOCUMENT) {
                    throw bad("there is something after the end of the array");
                }
                return root;
            } catch (NoSuchFileException e) {
                throw new IllegalArgumentException("--gate: there is no file " + file, e);
            } catch (JsonParseException | IOException e) {
                throw new IllegalArgumentException("--gate: " + file + " is no JSON: " + firstLine(e), e);
            }
        }

        /** Without the address of a page of Gson's, which follows. */
        private static String firstLine(Exception e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            return String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
        }

        private Limit limit(String place, JsonElement element) {
            if (!element.isJsonObject()) {
                throw bad(place + "a limit is an object with " + new TreeSet<>(KEYS) + ", not " + element);
            }
            JsonObject object = element.getAsJsonObject();
            for (String key : object.keySet()) {
                if (!KEYS.contains(key)) {
                    throw bad(place + "'" + key + "' is not known; a limit has " + new TreeSet<>(KEYS));
                }
            }
            String scenario = text(place, object, "scenario");
            try {
                Scenarios.named(List.of(scenario));
            } catch (IllegalArgumentException e) {
                throw bad(place + e.getMessage());
            }
            String figure = text(place, object, "figure");
            if (!isKnown(figure)) {
                throw bad(place + "there is no figure '" + figure + "'; there are " + known());
            }
            return new Limit(scenario, figure, yardstick(place, object), number(place, object));
        }

        private Yardstick yardstick(String place, JsonObject object) {
            String per = text(place, object, "per");
            return Arrays.stream(Yardstick.values())
                    .filter(known -> known.toString().equals(per))
                    .findFirst()
                    .orElseThrow(() -> bad(place + "'per' cannot be '" + per + "'; it is one of "
                            + Arrays.stream(Yardstick.values())
                                    .map(Yardstick::toString)
                                    .collect(Collectors.joining(", "))));
        }

        private double number(String place, JsonObject object) {
            JsonElement value = object.get("atMost");
            if (value == null
                    || !value.isJsonPrimitive()
                    || !value.getAsJsonPrimitive().isNumber()) {
                throw bad(place + "'atMost' must be a number, but is " + value);
            }
            double atMost = value.getAsDouble();
            if (!(atMost > 0 && atMost < Double.POSITIVE_INFINITY)) {
                throw bad(place + "'atMost' must be more than 0 and finite, but is " + value);
            }
            return atMost;
        }

        private String text(String place, JsonObject object, String key) {
            JsonElement value = object.get(key);
            if (value == null
                    || !value.isJsonPrimitive()
                    || !value.getAsJsonPrimitive().isString()) {
                throw bad(place + "'" + key + "' must be a text, but is " + value);
            }
            return value.getAsString();
        }

        private IllegalArgumentException bad(String what) {
            return new IllegalArgumentException("--gate: " + file + ": " + what);
        }
    }
}
