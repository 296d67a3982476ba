package dev.escapement.render.web;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import com.google.gson.Strictness;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import dev.escapement.state.snapshot.BodyId;
import java.io.IOException;
import java.io.StringReader;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A message from a page. */
sealed interface ClientMessage {

    /** The type of the message, as pages write it. */
    default String name() {
        return PageMessage.typeOf(this);
    }

    record Ack(long sequence) implements ClientMessage {}

    record Past(long from, int count) implements ClientMessage {
        @Override
        public String name() {
            return "history";
        }
    }

    /** A command without values: pause, resume, step or dragEnd. */
    record Plain(String name) implements ClientMessage {}

    record Scale(double value) implements ClientMessage {}

    /** Rewinds the world to a published tick, from which the run continues. */
    record Rewind(long tick) implements ClientMessage {}

    record Drag(long body) implements ClientMessage {}

    /** Drags the body to a place, in metres from the world's zero, because the origins of pictures may move meanwhile. */
    record DragTo(double x, double y, double z) implements ClientMessage {}

    /** Turns the wheel during a drag, by x steps to the right and y steps away from the user. */
    record Wheel(double x, double y) implements ClientMessage {}

    record Worlds(String filter) implements ClientMessage {}

    record Open(String world) implements ClientMessage {}

    /** A message with impossible values, which is refused. */
    record Impossible(String name, String why) implements ClientMessage {}

    /** A malformed message, which closes the connection. */
    record Malformed(int closeCode, String why) implements ClientMessage {}

    /** The bounds of the real-time factor that a page can set. A page that stops time sends {@code pause} instead of 0. */
    double MIN_SCALE = Double.MIN_VALUE;

    double MAX_SCALE = 4;

    /** The maximum distance of a drag from the world's origin, in metres. */
    double MAX_METRES = 1e12;

    double MAX_STEPS = 1000;

    int MAX_PAST = 32;

    /** The largest whole number that is exact in JSON. */
    double MAX_EXACT = 1L << 53;

    /**
     * Parses a message.
     *
     * @param json the text of the message
     * @return the message; {@link Impossible} for a known type with an impossible value
     * @throws IllegalArgumentException if it is no JSON object of plain values with a known type
     */
    static ClientMessage parse(String json) {
        Fields fields = new Fields(object(json));
        String type =
                fields.object.get("type") instanceof JsonPrimitive given && given.isString() ? given.getAsString() : "";
        ClientMessage message = switch (type) {
            case "ack" -> new Ack(fields.whole("sequence", 0, 0xFFFF_FFFFL));
            case "history" -> new Past(fields.whole("from", 0, MAX_EXACT), (int) fields.whole("count", 1, MAX_PAST));
            case "scale" -> new Scale(fields.number("value", MIN_SCALE, MAX_SCALE));
            case "rewind" -> new Rewind(fields.whole("tick", 0, MAX_EXACT));
            case "drag" -> new Drag(fields.body());
            case "dragTo" -> new DragTo(fields.metres("x"), fields.metres("y"), fields.metres("z"));
            case "wheel" -> new Wheel(fields.steps("x"), fields.steps("y"));
            case "worlds" -> new Worlds(fields.name("filter"));
            case "open" -> new Open(fields.name("world"));
            case "pause", "resume", "step", "dragEnd" -> new Plain(type);
            default -> throw new IllegalArgumentException("there is no message of type '" + type + "'");
        };
        return fields.why == null ? message : new Impossible(type, fields.why);
    }

    private static JsonObject object(String json) {
        JsonReader in = new JsonReader(new StringReader(json));
        in.setStrictness(Strictness.STRICT);
        try {
            JsonElement read = JsonParser.parseReader(in);
            if (in.peek() != JsonToken.END_DOCUMENT || !read.isJsonObject()) {
                throw new IllegalArgumentException("this is not one JSON object");
            }
            for (Map.Entry<String, JsonElement> entry : read.getAsJsonObject().entrySet()) {
                if (!entry.getValue().isJsonPrimitive() && !entry.getValue().isJsonNull()) {
                    throw new IllegalArgumentException("'" + entry.getKey() + "' is not a plain value");
                }
            }
            return read.getAsJsonObject();
        } catch (IOException | JsonParseException e) {
            throw new IllegalArgumentException("this is no JSON: " + e.getMessage(), e);
        }
    }

    /** The values of a flat JSON object, and the reason if one of them is impossible. */
    final class Fields {

        private final JsonObject object;
        private @Nullable String why;

        private Fields(JsonObject object) {
            this.object = object;
        }

        private double number(String name, double least, double max) {
            boolean isNumber = object.get(name) instanceof JsonPrimitive given && given.isNumber();
            double value = isNumber ? object.get(name).getAsDouble() : Double.NaN;
            if (!(value >= least && value <= max)) {
                why = "'" + name + "' must be a number from " + least + " to " + max + ", but is "
                        + (isNumber ? object.get(name).getAsString() : "none");
            }
            return value;
        }

        private long whole(String name, double least, double max) {
            double value = number(name, least, max);
            if (value != Math.rint(value) && why == null) {
                why = "'" + name + "' must be a whole number, but is " + value;
            }
            return (long) value;
        }

        private long body() {
            int slot = (int) whole("slot", 0, Integer.MAX_VALUE);
            // The generation has the bits of an int, which a page may read as an unsigned number.
            int generation = (int) whole("generation", Integer.MIN_VALUE, 0xFFFF_FFFFL);
            if (!BodyId.isLive(generation) && why == null) {
                why = "no body has the generation " + generation + ": those of bodies are odd";
            }
            return BodyId.of(slot, generation);
        }

        private String name(String name) {
            String text =
                    object.get(name) instanceof JsonPrimitive given && given.isString() ? given.getAsString() : null;
            if (text == null || text.length() > WorldList.MAX_NAME) {
                why = "'" + name + "' must be a text of at most " + WorldList.MAX_NAME + " characters, but "
                        + (text == null ? "is none" : "has " + text.length());
                return "";
            }
            return text;
        }

        private double metres(String name) {
            return number(name, -MAX_METRES, MAX_METRES);
        }

        private double steps(String name) {
            return number(name, -MAX_STEPS, MAX_STEPS);
        }
    }
}
