package dev.escapement.bench.stress.gate;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.Strictness;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import dev.escapement.bench.stress.scenario.Scenarios;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Reads limits: a JSON array with an object per limit.
 *
 * <pre>{@code
 * [
 *   {"scenario": "idle", "figure": "tick lateness p50", "per": "wake-up", "atMost": 3}
 * ]
 * }</pre>
 *
 * <p>Whatever is wrong with it is said before anything runs, with the place: the number of the limit, counted from 1.
 */
final class LimitsFile {

    private static final Set<String> KEYS = Set.of("scenario", "figure", "per", "atMost");

    private final Path file;

    private LimitsFile(Path file) {
        this.file = file;
    }

    /**
     * Reads a file.
     *
     * @throws IllegalArgumentException if it cannot be read, or says what cannot be
     */
    static List<Limit> read(Path file) {
        return new LimitsFile(file).limits();
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
        if (!GatedFigure.isKnown(figure)) {
            throw bad(place + "there is no figure '" + figure + "'; there are " + GatedFigure.known());
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
